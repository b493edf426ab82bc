// Quartz cron in the shop's zone: second, minute, hour, day, month, weekday. This file only evaluates expressions.

import { Cron } from 'croner'

/** Quartz counts Sunday as 1 and allows 0/15; paused, because the library's timer is not used. */
const readCron = (cron: string, zone: string): Cron =>
  new Cron(cron, { paused: true, timezone: zone, alternativeWeekdays: true, sloppyRanges: true })

/** Whether the expression is valid. */
export function isQuartz(cron: string): boolean {
  if (cron.trim().split(/\s+/).length < 6) return false
  try {
    readCron(cron, 'UTC')
    return true
  } catch {
    return false
  }
}

/** The first due time after an instant; null when there is none. */
export const nextDue = (cron: string, zone: string, after: Date): Date | null =>
  readCron(cron, zone).nextRun(after)

/** The newest due time after one instant and up to another: several missed runs are made up for by one. */
export function latestDue(
  cron: string,
  zone: string,
  { after, until }: { after: Date; until: Date },
): Date | undefined {
  const read = readCron(cron, zone)
  const next = read.nextRun(after)
  if (!next || next > until) return undefined
  // The library searches strictly before a whole second, so the search starts at the next one.
  return read.previousRuns(1, new Date((Math.floor(until.getTime() / 1000) + 1) * 1000)).at(0) ?? next
}
