// The hours of a chart: every hour of the period, also those without calls. Pure, so that it is tested without a browser.

import { hourMs } from '../app/durations.ts'
import type { ApplicationUsage } from '../../../sdk/index.ts'

export interface HourRow {
  hour: string
  calls: number
  limited: number
  peakShare: number
}

/** Adds the hours of the applications up; of the shares the highest counts, because every key has a limit of its own. */
export function hourRows(
  { from, to }: { from: string; to: string },
  applications: readonly Pick<ApplicationUsage, 'hours'>[],
): HourRow[] {
  const rows = new Map<number, HourRow>()
  for (let at = Date.parse(from); at <= Date.parse(to); at += hourMs)
    rows.set(at, { hour: new Date(at).toISOString(), calls: 0, limited: 0, peakShare: 0 })
  for (const it of applications.flatMap(({ hours }) => hours)) {
    const row = rows.get(Date.parse(it.hour))
    if (!row) continue
    row.calls += it.calls
    row.limited += it.limited
    row.peakShare = Math.max(row.peakShare, it.peak_share)
  }
  return [...rows.values()]
}
