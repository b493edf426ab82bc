import type { NotificationTemplate } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'
import { purposeText, templateTexts } from './template-texts.ts'
import { channels } from './texts.ts'

export function Page() {
  const t = useTexts(templateTexts)
  const ago = useAgo()
  const { language } = useSession()
  const columns: Column<NotificationTemplate>[] = [
    {
      head: t.template,
      cell: (it) => (
        <>
          <span className="block">{it.slug}</span>
          <span className="text-soft line-clamp-1 block text-xs font-normal">
            {purposeText(it.description, language)}
          </span>
        </>
      ),
    },
    { head: t.channel, cell: (it) => t[it.channel] },
    {
      head: t.languages,
      isWide: true,
      cell: (it) => <span className="text-soft uppercase">{Object.keys(it.texts).join(' ')}</span>,
    },
    { head: t.version, isWide: true, isRight: true, cell: (it) => it.version },
    {
      head: t.state,
      isWide: true,
      cell: (it) => (
        <Badge text={it.is_active ? t.active : t.inactive} tone={it.is_active ? 'good' : 'neutral'} />
      ),
    },
    {
      head: t.changed,
      isWide: true,
      cell: (it) => <span className="text-soft whitespace-nowrap">{ago(it.updated_at)}</span>,
    },
  ]
  return (
    <ListPage
      title={t.templates}
      resource="templates"
      icon="templates"
      empty={{ title: t.none }}
      columns={columns}
      filters={[{ name: 'channel', label: t.channel, choices: channels.map((it) => [it, t[it]] as const) }]}
      load={(bozor, query) => bozor.templates.list(query)}
      idOf={(it) => it.id}
      to={(it) => `/templates/${it.id}`}
    />
  )
}
