// When campaigns would have sent messages in a period that the test clock was moved past. Pure.

import { dayMs, minuteMs } from '../../base/clock.ts'
import { latestDue } from '../../base/cron.ts'
import type { PromotionPeriod } from '../../catalog/index.ts'
import { durationMs } from './audience.ts'
import { type Campaign, isQuiet, minuteOfTime, type QuietHours } from './campaign.ts'
import { isAboutPromotion, triggerKind, triggers } from './triggers.ts'

export interface MissedPeriod {
  after: Date
  until: Date
  zone: string
  minuteOf(at: Date): number
  /** Those that start in the period. */
  promotions: readonly PromotionPeriod[]
}

interface MissedOccasion {
  at: Date
  /** When a message about it is too late, if ever. */
  endsAt: Date | null
}

const minutesPerDay = dayMs / minuteMs

/**
 * At its date or last due time, when the last cart of before the move was abandoned, when a promotion started that has ended
 * meanwhile, and just before the campaign ended: at the end of the period the carts may be deleted and the campaign is
 * finished.
 */
export function missedInstants(
  { trigger, endsAt }: Pick<Campaign, 'trigger' | 'endsAt'>,
  quietHours: QuietHours,
  period: MissedPeriod,
): Date[] {
  const hasEnded = endsAt !== null && endsAt <= period.until
  const end = hasEnded ? new Date(endsAt.getTime() - 1) : period.until
  const sent = missedOccasions(trigger, { ...period, until: end })
    .map((it) => ({ ...it, at: afterQuiet(it.at, quietHours, period) }))
    .filter(({ at, endsAt }) => endsAt === null || at < endsAt)
    .map((it) => it.at)
  const last = hasEnded ? [beforeQuiet(end, quietHours, period)] : []
  return [...sent, ...last].filter((it) => it > period.after && it <= end)
}

function missedOccasions(trigger: Campaign['trigger'], period: MissedPeriod): MissedOccasion[] {
  const at = lastOccasion(trigger, period)
  if (at) return at <= period.until ? [{ at, endsAt: null }] : []
  return period.promotions
    .filter((it) => isAboutPromotion(trigger, it.id) && it.endsAt !== null && it.endsAt <= period.until)
    .map(({ startsAt, endsAt }) => ({ at: startsAt, endsAt }))
}

function lastOccasion(
  trigger: Campaign['trigger'],
  { after, until, zone }: Pick<MissedPeriod, 'after' | 'until' | 'zone'>,
): Date | undefined {
  if (trigger.at !== undefined) return new Date(trigger.at)
  if (trigger.cron !== undefined) return latestDue(trigger.cron, zone, { after, until })
  const { scan } = triggers[triggerKind(trigger)]
  return trigger.cart_abandoned && scan
    ? new Date(after.getTime() + durationMs(trigger.cart_abandoned) + scan.everyMinutes * minuteMs)
    : undefined
}

/** The instant, or the end of the quiet hours that it lies in. */
function afterQuiet(at: Date, hours: QuietHours, { minuteOf }: MissedPeriod): Date {
  const minute = minuteOf(at)
  if (!isQuiet(hours, minute)) return at
  const left = (minuteOfTime(hours.to) - minute + minutesPerDay) % minutesPerDay
  return new Date(startOfMinute(at) + left * minuteMs)
}

/** The instant, or the last one before the quiet hours that it lies in. */
function beforeQuiet(at: Date, hours: QuietHours, { minuteOf }: MissedPeriod): Date {
  const minute = minuteOf(at)
  if (!isQuiet(hours, minute)) return at
  const passed = (minute - minuteOfTime(hours.from) + minutesPerDay) % minutesPerDay
  return new Date(startOfMinute(at) - passed * minuteMs - 1)
}

const startOfMinute = (at: Date): number => Math.floor(at.getTime() / minuteMs) * minuteMs
