import type { Operations } from '../../../sdk/index.ts'
import { dateTime } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/states.tsx'

type OrderEvent = Operations['orders.listEvents']['reply']['events'][number]

const table = { timeline: ['Timeline', 'История', 'Tarix'] } as const

/** `payment_captured` and `PaymentCaptured` as words. */
const wordsOf = (type: string): string => {
  const words = type
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]/g, ' ')
    .toLowerCase()
  return words[0]!.toUpperCase() + words.slice(1)
}

export function Timeline({ events }: { events: OrderEvent[] | undefined }) {
  const t = useTexts(table)
  const { language } = useSession()
  if (!events) return <Skeleton className="h-40" />
  return (
    <Card title={t.timeline}>
      <ol className="border-line ml-1 flex flex-col gap-3 border-l">
        {events.toReversed().map((it, at) => (
          <li key={it.number} className="relative pl-4">
            <span
              aria-hidden="true"
              className={`border-surface absolute top-1.5 -left-1 size-2 rounded-full ${at === 0 ? 'bg-accent' : 'bg-strong'}`}
            />
            <p className="leading-tight">{wordsOf(it.type)}</p>
            <p className="text-faint figures text-xs">{dateTime(it.at, language)}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}
