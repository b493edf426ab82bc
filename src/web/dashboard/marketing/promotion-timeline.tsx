// Promotions as bars on a line of time. What conflicts is striped over the period of the conflict.

import { dayMs } from '../app/durations.ts'
import type { Promotion, PromotionConflict } from '../../../sdk/index.ts'
import { useNow } from '../app/clock.ts'
import { useAction } from '../app/data.ts'
import { dateTime, day, money } from '../app/language.ts'
import { useSession, useTexts } from '../app/session.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { monthStarts } from '../ui/chart-ticks.ts'
import { promotionTexts, titleIn } from './promotion-texts.ts'

const tones: Record<Promotion['status'], Tone> = { scheduled: 'info', running: 'good', ended: 'neutral' }

const [daysBefore, fewestDays, mostDays] = [14, 30, 120]

/** Closer to today, as a share of the line, a month would cover its text. */
const nearToday = 0.08

/** Where an instant is on the line, in percent. */
type PlaceOf = (iso: string | null) => number

export function Timeline({
  promotions,
  conflicts,
}: {
  promotions: Promotion[]
  conflicts: PromotionConflict[]
}) {
  const t = useTexts(promotionTexts)
  const { language } = useSession()
  const now = useNow()()
  const lastEnd = Math.max(...promotions.map((it) => (it.ends_at ? Date.parse(it.ends_at) : 0)))
  const from = now - daysBefore * dayMs
  const to = Math.max(now + fewestDays * dayMs, Math.min(now + mostDays * dayMs, lastEnd + dayMs))
  const shareOf = (at: number) => Math.max(0, Math.min(100, ((at - from) / (to - from)) * 100))
  const placeOf: PlaceOf = (iso) => (iso === null ? 100 : shareOf(Date.parse(iso)))
  return (
    <ul className="divide-line divide-y">
      <li
        aria-hidden="true"
        className="text-faint grid h-8 items-center px-4 text-xs max-md:hidden md:grid-cols-[minmax(0,20rem)_1fr]"
      >
        <span />
        <span className="figures relative h-4">
          {[now, ...monthStarts(from, to).filter((it) => Math.abs(it - now) > nearToday * (to - from))].map(
            (it) => (
              <span
                key={it}
                className={`absolute -translate-x-1/2 whitespace-nowrap ${it === now ? 'text-bad' : ''}`}
                style={{ left: `${Math.min(shareOf(it), 97)}%` }}
              >
                {it === now ? t.today : day(new Date(it).toISOString(), language)}
              </span>
            ),
          )}
        </span>
      </li>
      {promotions.map((it) => (
        <PromotionRow
          key={it.id}
          promotion={it}
          conflicts={conflicts.filter(({ promotion_ids: ids }) => ids.includes(it.id))}
          placeOf={placeOf}
          now={shareOf(now)}
        />
      ))}
    </ul>
  )
}

/** What the promotion gives. */
function useTerms(it: Promotion): string {
  const t = useTexts(promotionTexts)
  const { language } = useSession()
  if (it.discount_percent) return `−${it.discount_percent}%`
  return it.price ? money(it.price, language) : it.loan_condition_ids.length > 0 ? t.instalments : ''
}

interface RowProps {
  promotion: Promotion
  conflicts: PromotionConflict[]
  placeOf: PlaceOf
  now: number
}

function PromotionRow({ promotion: it, conflicts, placeOf, now }: RowProps) {
  const t = useTexts(promotionTexts)
  const terms = useTerms(it)
  const { language, can } = useSession()
  const stop = useAction((bozor) => bozor.promotions.end({ promotion_id: it.id }), {
    refreshes: ['promotions'],
    done: t.endDone,
  })
  return (
    <li className="grid items-center gap-x-4 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,20rem)_1fr]">
      <div className="min-w-0">
        <p className="truncate font-medium">{titleIn(it, language)}</p>
        <p className="text-soft figures text-xs">
          {dateTime(it.starts_at, language)} – {it.ends_at ? dateTime(it.ends_at, language) : t.open}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-2">
          <Badge text={t[it.status]} tone={tones[it.status]} />
          {conflicts.length > 0 && <Badge text={t.conflict} tone="warn" />}
          <span className="figures font-medium">{terms}</span>
          {it.status === 'running' && can('marketing:write') && (
            <Button isSmall isBusy={stop.isPending} onClick={() => stop.mutate(undefined)}>
              {t.end}
            </Button>
          )}
        </p>
      </div>
      <div aria-hidden="true" className="bg-canvas relative h-7 overflow-hidden rounded-md max-md:hidden">
        <Bar
          look={it.status === 'ended' ? 'bg-strong' : 'bg-accent'}
          start={placeOf(it.starts_at)}
          end={placeOf(it.ends_at)}
        />
        {conflicts.map((one) => (
          <Bar
            key={one.promotion_ids.join()}
            look="stripes"
            start={placeOf(one.starts_at)}
            end={placeOf(one.ends_at)}
          />
        ))}
        <span className="bg-bad absolute inset-y-0 w-px" style={{ left: `${now}%` }} />
      </div>
    </li>
  )
}

const Bar = ({ look, start, end }: { look: string; start: number; end: number }) => (
  <span
    className={`absolute inset-y-1 rounded ${look}`}
    style={{ left: `${start}%`, width: `${Math.max(end - start, 0.6)}%` }}
  />
)
