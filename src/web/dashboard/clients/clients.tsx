import type { Operations } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'
import { clientTexts } from './texts.ts'

type Client = Operations['clients.list']['item']

export function Page() {
  const t = useTexts(clientTexts)
  const ago = useAgo()
  const columns: Column<Client>[] = [
    { head: t.name, sortBy: 'name', cell: (it) => it.name || `${t.client} ${it.id}` },
    { head: t.phone, cell: (it) => <span className="figures">{it.phone ?? '–'}</span> },
    { head: t.email, isWide: true, cell: (it) => it.email ?? '–' },
    {
      head: t.state,
      isWide: true,
      cell: (it) =>
        it.erased_at ? (
          <Badge text={t.erased} />
        ) : it.merged_into ? (
          <Badge text={t.merged} />
        ) : it.has_password ? (
          <Badge text={t.registered} tone="good" />
        ) : (
          <Badge text={t.imported} tone="info" />
        ),
    },
    {
      head: t.created,
      sortBy: 'created_at',
      isWide: true,
      cell: (it) => <span className="text-soft whitespace-nowrap">{ago(it.created_at)}</span>,
    },
  ]
  return (
    <ListPage
      title={t.clients}
      resource="clients"
      icon="clients"
      firstSort="-created_at"
      empty={{ title: t.none }}
      columns={columns}
      searchBy={{ name: 'q', label: t.search }}
      load={(bozor, query) => bozor.clients.list({ sort: '-created_at', ...query })}
      idOf={(it) => it.id}
      to={(it) => `/clients/${it.id}`}
    />
  )
}
