import { useState } from 'react'
import type { Operations } from '../../../sdk/index.ts'
import { useAgo } from '../app/clock.ts'
import { useTexts } from '../app/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ListPage } from '../ui/list-page.tsx'
import type { Column } from '../ui/table.tsx'
import { RegisterDialog } from './register.tsx'
import { applicationTexts } from './texts.ts'

type Application = Operations['applications.list']['item']

export function Page() {
  const t = useTexts(applicationTexts)
  const ago = useAgo()
  const [isRegistering, setIsRegistering] = useState(false)
  const columns: Column<Application>[] = [
    { head: t.name, cell: (it) => it.name },
    { head: t.type, cell: (it) => <Badge text={t[it.type]} isPlain /> },
    {
      head: t.clientId,
      isWide: true,
      cell: (it) => <code className="text-soft font-mono text-xs">{it.client_id}</code>,
    },
    { head: t.scopes, isWide: true, isRight: true, cell: (it) => it.scopes.length },
    {
      head: t.created,
      isWide: true,
      cell: (it) => <span className="text-soft whitespace-nowrap">{ago(it.created_at)}</span>,
    },
  ]
  const register = (
    <Button look="primary" icon="plus" onClick={() => setIsRegistering(true)}>
      {t.register}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t.applications}
        text={t.text}
        resource="applications"
        icon="developers"
        empty={{ title: t.none, action: register }}
        actions={register}
        columns={columns}
        load={(bozor, query) => bozor.applications.list({ sort: '-created_at', ...query })}
        idOf={(it) => it.client_id}
        to={(it) => `/applications/${it.client_id}`}
      />
      {isRegistering && <RegisterDialog onClose={() => setIsRegistering(false)} />}
    </>
  )
}
