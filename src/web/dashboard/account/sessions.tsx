// Where the member is signed in.

import { usePlatformAgo } from '../app/clock.ts'
import { useAction, useData } from '../app/data.ts'
import { useTexts } from '../app/session.tsx'
import { memberTexts } from '../settings/texts.ts'
import { deviceOf } from '../clients/device.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'

export function Sessions() {
  const t = useTexts(memberTexts)
  const ago = usePlatformAgo()
  const found = useData(['sessions'], async (bozor) => (await bozor.memberSessions.list()).sessions)
  const end = useAction((bozor, id: string) => bozor.memberSessions.delete({ session_id: id }), {
    refreshes: ['sessions'],
    done: t.ended,
  })
  return (
    <Card title={t.sessions} isFlush>
      <ul className="divide-line divide-y">
        {found.data?.map((it) => (
          <li key={it.id} className="flex h-12 items-center gap-4 px-4">
            <span className="min-w-0 flex-1 truncate" title={it.user_agent ?? undefined}>
              {deviceOf(it.user_agent ?? '')}
            </span>
            <span className="text-soft text-xs">{ago(it.last_seen_at)}</span>
            {it.is_current ? (
              <Badge text={t.current} tone="good" />
            ) : (
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
