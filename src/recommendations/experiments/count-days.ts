// What lists did, by day of the shop.

import type { Reader } from '../../base/db.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job } from '../../base/jobs.ts'
import { dayIn } from '../../base/zone.ts'
import * as store from '../store/outcomes.ts'

const dayMs = 86_400_000
/** A purchase may follow a click after a week, so a day is counted again until then. */
const daysOpen = 8
const keepDays = 800

/** Counts the last days anew, because what was shown is not kept for ever. */
export const countListsNightly = (zone: string): Job => ({
  name: 'count-recommendations',
  cron: '0 25 4 * * ?',
  meaning: 'Counts what recommendations were shown, clicked and bought on the last days.',
  run: async (work) => {
    let lists = 0
    for (let ago = daysOpen; ago >= 1; ago--)
      lists += await work.transaction(async (tx) => {
        const days = await store.countDay(tx, dayAgo(zone, tx.now, ago), zone)
        if (days.length > 0) await store.saveDays(tx, days)
        return days.find((it) => it.source === '')?.figures.lists ?? 0
      })
    const forgotten = await deleteInBatches(work, { days: keepDays, sql: store.oldDays })
    return `counted ${lists} lists of ${daysOpen} days, forgot ${forgotten} days`
  },
})

/** The figures of days from one to another, as they were counted; those of today and yesterday as they are now. */
export async function daysBetween(
  read: Reader,
  zone: string,
  { from, to }: { from: string; to: string },
): Promise<store.Day[]> {
  const fresh = [0, 1].map((ago) => dayAgo(zone, read.now, ago)).filter((it) => it >= from && it <= to)
  const [counted, ...counting] = await Promise.all([
    store.findDays(read, from, to),
    ...fresh.map((day) => store.countDay(read, day, zone)),
  ])
  const days = [...counted.filter((it) => !fresh.includes(it.day)), ...counting.flat()]
  return days.toSorted((a, b) => a.day.localeCompare(b.day) || a.source.localeCompare(b.source))
}

export const dayAgo = (zone: string, now: Date, days: number): string =>
  dayIn(zone)(new Date(now.getTime() - days * dayMs))
