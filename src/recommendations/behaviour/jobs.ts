import type { Tx } from '../../base/db.ts'
import type { Job, JobRun } from '../../base/jobs.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import { countPopularity } from './count-popularity.ts'
import * as store from '../store/months.ts'
import { oldCarts, oldSessions } from '../store/names.ts'

/** How long each is kept. Cases of both ends: a deed of the last day of the first month, and one that came late. */
const kept: Record<store.ByMonth, { months: number; days: number }> = {
  recommendations_interactions: { months: 13, days: 400 },
  recommendations_lists: { months: 4, days: 100 },
}
const tables = Object.keys(kept) as store.ByMonth[]
const monthsAhead = 2
/** Many more cannot be moved while others wait. */
const mostMoved = 200_000

/** Makes room for the months to come, and forgets what is of long ago, a month at a time. */
export const keepBehaviour: Job = {
  name: 'keep-behaviour',
  cron: '0 15 4 * * ?',
  meaning: `Makes room for the deeds and lists of coming months; forgets deeds older than ${kept.recommendations_interactions.months} months and lists older than ${kept.recommendations_lists.months}.`,
  run: async (work) => {
    const added = await work.transaction((tx) => makeRoom(tx, 0))
    const dropped = await dropOld(work)
    let strays = 0
    for (const table of tables)
      strays += await deleteInBatches(work, { days: kept[table].days, sql: store.overAge(table) })
    const { days } = kept.recommendations_interactions
    const names = await deleteInBatches(work, { days, sql: oldSessions })
    const carts = await deleteInBatches(work, { days, sql: oldCarts })
    return `made room for ${added.length} months, forgot ${dropped} months, ${strays} single rows, ${names} sessions and ${carts} carts`
  },
}

async function dropOld(work: JobRun): Promise<number> {
  let count = 0
  for (const table of tables)
    count += await work.transaction(async (tx) => {
      const standing = await store.months(tx, table)
      const old = standing.filter((it) => it < monthOf(tx.now, -kept[table].months))
      for (const month of old) await store.dropMonth(tx, table, month)
      return old.length
    })
  return count
}

export const countPopularityNightly: Job = {
  name: 'count-popularity',
  cron: '0 5 4 * * ?',
  meaning: 'Counts anew how sought after every product is.',
  run: async (work) => `counted ${await work.transaction(countPopularity)} products`,
}

/** Gives every month from some months back to the next ones room of its own, unless too much stands elsewhere. */
export async function makeRoom(tx: Tx, monthsBack: number): Promise<string[]> {
  const wanted = Array.from({ length: monthsBack + monthsAhead + 1 }, (_, at) =>
    monthOf(tx.now, at - monthsBack),
  )
  const added: string[] = []
  for (const table of tables) {
    const missing = async () => {
      const standing = await store.months(tx, table)
      return wanted.filter((it) => !standing.includes(it))
    }
    if ((await missing()).length === 0) continue
    await store.lockTable(tx, table)
    for (const month of await missing()) {
      if ((await store.strays(tx, table, month, mostMoved)) >= mostMoved) continue
      await store.addMonth(tx, table, month)
      added.push(month)
    }
  }
  return added
}

/** `2026-11` of an instant, some months later or earlier. */
export function monthOf(now: Date, later: number): string {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1))
  return month.toISOString().slice(0, 7)
}
