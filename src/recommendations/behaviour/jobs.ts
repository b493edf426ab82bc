import type { Tx } from '../../base/db.ts'
import type { Job } from '../../base/jobs.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import { countPopularity } from './count-popularity.ts'
import * as store from '../store/behaviour.ts'

const keepMonths = 13
const keepDays = 400
const monthsAhead = 2

/** Makes room for the months to come, and forgets deeds of long ago, a month at a time. */
export const keepBehaviour: Job = {
  name: 'keep-behaviour',
  cron: '0 15 4 * * ?',
  meaning: `Makes room for the deeds of coming months; forgets those older than ${keepMonths} months.`,
  run: async (work) => {
    const added = await work.transaction((tx) => makeRoom(tx, 0))
    const dropped = await work.transaction(async (tx) => {
      const old = (await store.months(tx)).filter((it) => it < monthOf(tx.now, -keepMonths))
      for (const month of old) await store.dropMonth(tx, month)
      return old
    })
    const strays = await deleteInBatches(work, { days: keepDays, sql: store.overAge })
    return `made room for ${added.length} months, forgot ${dropped.length} months and ${strays} single deeds`
  },
}

export const countPopularityNightly: Job = {
  name: 'count-popularity',
  cron: '0 5 4 * * ?',
  meaning: 'Counts anew how sought after every product is.',
  run: async (work) => `counted ${await work.transaction(countPopularity)} products`,
}

/** Gives every month from some months back to the next ones room of its own, where its deeds are not elsewhere yet. */
export async function makeRoom(tx: Tx, monthsBack: number): Promise<string[]> {
  const wanted = Array.from({ length: monthsBack + monthsAhead + 1 }, (_, at) =>
    monthOf(tx.now, at - monthsBack),
  )
  const standing = await store.months(tx)
  const free: string[] = []
  for (const month of wanted.filter((it) => !standing.includes(it)))
    if (!(await store.hasStrays(tx, month))) free.push(month)
  for (const month of free) await store.addMonth(tx, month)
  return free
}

/** `2026-11` of an instant, some months later or earlier. */
export function monthOf(now: Date, later: number): string {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1))
  return month.toISOString().slice(0, 7)
}
