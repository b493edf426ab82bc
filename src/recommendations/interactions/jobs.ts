import { dayMs } from '../../base/clock.ts'
import type { Tx } from '../../base/database.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job, JobContext } from '../../base/jobs.ts'
import { savePopularity } from '../../catalog/index.ts'
import { expiredCarts, expiredSessions } from './alias-store.ts'
import * as partitions from './partition-store.ts'
import * as store from './store.ts'

/** Whole months are dropped; rows in the default partition are deleted by age. */
const retention: Record<partitions.PartitionedTable, { months: number; days: number }> = {
  recommendations_interactions: { months: 13, days: 400 },
  recommendations_lists: { months: 4, days: 100 },
}
const tables = Object.keys(retention) as partitions.PartitionedTable[]
const monthsAhead = 2
/** Moving more rows would hold the table lock too long. */
const maxMoved = 200_000

export const maintainInteractions: Job = {
  name: 'maintain-interactions',
  cron: '0 15 4 * * ?',
  description: `Creates partitions for the coming months; deletes interactions older than ${retention.recommendations_interactions.months} months and shown lists older than ${retention.recommendations_lists.months}.`,
  run: async (job) => {
    const added = await job.transaction((tx) => createPartitions(tx, 0))
    const dropped = await dropExpired(job)
    const { days } = retention.recommendations_interactions
    const [sessions, carts, ...rows] = await Promise.all([
      deleteInBatches(job, { days, sql: expiredSessions }),
      deleteInBatches(job, { days, sql: expiredCarts }),
      ...tables.map((table) =>
        deleteInBatches(job, { days: retention[table].days, sql: partitions.expiredInDefault(table) }),
      ),
    ])
    const deleted = rows.reduce((sum, it) => sum + it, 0)
    return `created ${added.length} partitions, dropped ${dropped}, deleted ${deleted} rows, ${sessions} sessions and ${carts} carts`
  },
}

async function dropExpired(job: JobContext): Promise<number> {
  let count = 0
  for (const table of tables)
    count += await job.transaction(async (tx) => {
      const existing = await partitions.listPartitions(tx, table)
      const old = existing.filter((it) => it < monthOf(tx.now, -retention[table].months))
      for (const month of old) await partitions.dropPartition(tx, table, month)
      return old.length
    })
  return count
}

export const popularityJob: Job = {
  name: 'count-popularity',
  cron: '0 5 4 * * ?',
  description: 'Recomputes the popularity of every product.',
  run: async (job) => `updated ${await job.transaction(countPopularity)} products`,
}

/** Creates missing partitions from `monthsBack` months ago to two months ahead, unless too many rows would have to move. */
export async function createPartitions(tx: Tx, monthsBack: number): Promise<string[]> {
  const wanted = Array.from({ length: monthsBack + monthsAhead + 1 }, (_, at) =>
    monthOf(tx.now, at - monthsBack),
  )
  const added: string[] = []
  for (const table of tables) {
    const missing = async () => {
      const existing = await partitions.listPartitions(tx, table)
      return wanted.filter((it) => !existing.includes(it))
    }
    if ((await missing()).length === 0) continue
    await partitions.lockTable(tx, table)
    for (const month of await missing()) {
      if ((await partitions.countInDefault(tx, table, month, maxMoved)) >= maxMoved) continue
      await partitions.createPartition(tx, table, month)
      added.push(month)
    }
  }
  return added
}

/** The month of an instant plus some months, such as `2026-11`. */
export function monthOf(now: Date, later: number): string {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1))
  return month.toISOString().slice(0, 7)
}

const lookBackDays = 90
const halfLifeDays = 14

/** Saves time-decayed interaction weights as the catalog's popularity; returns how many products have any. */
export async function countPopularity(tx: Tx): Promise<number> {
  const since = new Date(tx.now.getTime() - lookBackDays * dayMs)
  return savePopularity(tx, await store.sumByOffer(tx, { since, halfLifeDays }))
}
