// Where a client is signed in, with buttons to end the sessions.

import { useAgo } from '../app/clock.ts'
import { useAction, useData } from '../app/data.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { deviceOf } from './device.ts'
import { clientTexts } from './texts.ts'

export function ClientSessions({ clientId: client_id }: { clientId: string }) {
  const t = useTexts(clientTexts)
  const ago = useAgo()
  const { can } = useSession()
  const found = useData(
    ['clients', client_id, 'sessions'],
    async (bozor) => (await bozor.clients.listSessions({ client_id })).sessions,
  )
  const refreshes = ['clients']
  const end = useAction(
    (bozor, session_id: string) => bozor.clients.deleteSession({ client_id, session_id }),
    { refreshes, done: t.ended },
  )
  const endAll = useAction((bozor) => bozor.clients.deleteSessions({ client_id }), {
    refreshes,
    done: t.endedAll,
  })
  if (!found.data) return null
  const mayEnd = can('admin:write')
  return (
    <Card
      title={t.sessions}
      isFlush
      action={
        mayEnd &&
        found.data.length > 1 && (
          <Button isSmall isBusy={endAll.isPending} onClick={() => endAll.mutate(undefined)}>
            {t.endAll}
          </Button>
        )
      }
    >
      {found.data.length === 0 && <p className="text-soft p-4">{t.noSessions}</p>}
      <ul aria-label={t.sessions} className="divide-line divide-y">
        {found.data.map((it) => (
          <li key={it.id} className="flex items-center gap-3 px-4 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate" title={it.user_agent}>
                {deviceOf(it.user_agent)}
              </p>
              <p className="text-soft figures truncate text-xs">
                {it.network} · {t.lastUsed} {ago(it.last_used_at)}
              </p>
            </div>
            {mayEnd && (
              <Button isSmall onClick={() => end.mutate(it.id)}>
                {t.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
