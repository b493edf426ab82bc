// Metrics of shown lists by day, in the shop's time zone.

import { dayMs } from '../../base/clock.ts'
import type { Reader } from '../../base/database.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job } from '../../base/jobs.ts'
import { dayIn } from '../../base/time-zone.ts'
import * as store from './metrics-store.ts'

/** A purchase may follow a click after a week, so the last days are recomputed. */
const recomputedDays = 8
const retentionDays = 800

/** Days are stored because shown lists expire. */
export const dailyMetricsJob = (zone: string): Job => ({
  name: 'recommendation-metrics',
  cron: '0 25 4 * * ?',
  description: 'Computes shown, clicked and purchased recommendations of the last days.',
  run: async (work) => {
    const computed = await work.packet((read) =>
      Promise.all(
        Array.from({ length: recomputedDays }, (_, at) =>
          store.computeDay(read, dayAgo(zone, read.now, recomputedDays - at), zone),
        ),
      ),
    )
    const days = computed.flat()
    if (days.length > 0) await work.transaction((tx) => store.saveDays(tx, days))
    const lists = days.reduce((sum, it) => sum + (it.source === '' ? it.metrics.lists : 0), 0)
    const deleted = await deleteInBatches(work, { days: retentionDays, sql: store.expiredDays })
    return `computed ${recomputedDays} days with ${lists} lists, deleted ${deleted} days`
  },
})

/** Stored days of a period; today and yesterday are computed now. */
export async function daysBetween(
  read: Reader,
  zone: string,
  { from, to }: { from: string; to: string },
): Promise<store.DayMetrics[]> {
  const fresh = [0, 1].map((ago) => dayAgo(zone, read.now, ago)).filter((it) => it >= from && it <= to)
  const [counted, ...counting] = await Promise.all([
    store.findDays(read, from, to),
    ...fresh.map((day) => store.computeDay(read, day, zone)),
  ])
  const days = [...counted.filter((it) => !fresh.includes(it.day)), ...counting.flat()]
  return days.toSorted((a, b) => a.day.localeCompare(b.day) || a.source.localeCompare(b.source))
}

export const dayAgo = (zone: string, now: Date, days: number): string =>
  dayIn(zone)(new Date(now.getTime() - days * dayMs))
