// When the whole audience is due.

import { isQuartz, latestDue, nextDue } from '../../base/cron.ts'
import { isInstant } from '../../http/instant.ts'
import type { When } from './cues.ts'

const hourMs = 3_600_000
const looksAhead = 10
const beginning = new Date(0)

/** The newest due time in a period, if one fell into it: several that were missed are caught up by one. */
export function dueWithin(
  { at, cron }: When,
  zone: string,
  { after, until }: { after: Date; until: Date },
): Date | undefined {
  if (cron !== undefined) return latestDue(cron, zone, { after, until })
  const date = at === undefined ? undefined : new Date(at)
  return date && date > after && date <= until ? date : undefined
}

/** What is wrong with a date or a schedule, seen from an instant. */
export function faultOfSchedule({ at, cron }: When, zone: string, now: Date): string | undefined {
  if (at !== undefined) return isInstant(at) ? undefined : 'format'
  if (cron === undefined) return undefined
  if (!isQuartz(cron)) return 'cron'
  if (!nextDue(cron, zone, beginning)) return 'never_due'
  return isTooOften(cron, zone, now) ? 'too_often' : undefined
}

/** Whether all that a date or a schedule names lies behind an instant. */
export function isPast({ at, cron }: When, zone: string, now: Date): boolean {
  if (cron !== undefined) return !nextDue(cron, zone, now)
  return at !== undefined && new Date(at) <= now
}

/** More than once an hour would be a flood; the next few due times tell. */
function isTooOften(cron: string, zone: string, now: Date): boolean {
  let last = nextDue(cron, zone, now)
  for (let step = 0; step < looksAhead && last; step++) {
    const next = nextDue(cron, zone, last)
    if (next && next.getTime() - last.getTime() < hourMs) return true
    last = next
  }
  return false
}
