// When campaigns would have sent messages in a period that the test clock was moved past. Pure.

import { dayMs, minuteMs } from '../../base/clock.ts'
import { latestDue } from '../../base/cron.ts'
import { durationMs } from './audience.ts'
import { type Campaign, isQuiet, minuteOfTime, type QuietHours } from './campaign.ts'
import { triggerKind, triggers } from './triggers.ts'

export interface MissedPeriod {
  after: Date
  until: Date
  zone: string
  minuteOf(at: Date): number
}

const minutesPerDay = dayMs / minuteMs

/**
 * At its date or last due time, when the last cart of before the move was abandoned, and just before the campaign ended: at
 * the end of the period the carts may be deleted and the campaign is finished.
 */
export function missedInstants(
  { trigger, endsAt }: Pick<Campaign, 'trigger' | 'endsAt'>,
  quietHours: QuietHours,
  period: MissedPeriod,
): Date[] {
  const hasEnded = endsAt !== null && endsAt <= period.until
  const end = hasEnded ? new Date(endsAt.getTime() - 1) : period.until
  const occasion = lastOccasion(trigger, { ...period, until: end })
  const sent = [
    ...(occasion && occasion <= end ? [afterQuiet(occasion, quietHours, period)] : []),
    ...(hasEnded ? [beforeQuiet(end, quietHours, period)] : []),
  ]
  return sent.filter((it) => it > period.after && it <= end)
}

function lastOccasion(
  trigger: Campaign['trigger'],
  { after, until, zone }: Omit<MissedPeriod, 'minuteOf'>,
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
