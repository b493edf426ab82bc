import type { Operations } from '../../../sdk/index.ts'
import { dateTime, type Texts } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/states.tsx'
import { reasonTexts, reasonIn } from './reasons.ts'
import { eventTexts } from './timeline-texts.ts'

type OrderEvent = Operations['orders.listEvents']['reply']['events'][number]

const table = { timeline: ['Timeline', 'История', 'Tarix'] } as const

/** Reasons that people wrote, and the number of a parcel. */
function noteOf(data: unknown, reasons: Texts<typeof reasonTexts>): string {
  const { reason, carrier, trackingNumber } = (data ?? {}) as Record<string, unknown>
  const given = typeof reason === 'string' ? reasonIn(reasons, reason) : undefined
  return [given, carrier, trackingNumber].filter((it) => typeof it === 'string').join(' · ')
}

const Note = ({ text }: { text: string }) =>
  text === '' ? null : <p className="text-soft text-xs break-words">{text}</p>

export function Timeline({ events }: { events: OrderEvent[] | undefined }) {
  const t = useTexts(table)
  const names: Record<string, string> = useTexts(eventTexts)
  const reasons = useTexts(reasonTexts)
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
            <p className="leading-tight">{names[it.type] ?? it.type}</p>
            <Note text={noteOf(it.data, reasons)} />
            <p className="text-faint figures text-xs">{dateTime(it.at, language)}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}
