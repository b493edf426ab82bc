// SQL of monthly partitions. Rows of months without a partition are in the default partition.

import type { Reader, Tx } from '../../base/database.ts'

/** Tables partitioned by `at`, with their primary keys. */
const keys = {
  recommendations_interactions: 'buyer, at, offer, kind',
  recommendations_lists: 'id, at',
}
export type PartitionedTable = keyof typeof keys

const partitionOf = (table: PartitionedTable, month: string) => `${table}_${month.replace('-', '_')}`
const rangeOf = (month: string) => `from ('${month}-01') to ('${nextMonth(month)}-01')`

/** The months that have a partition, oldest first. */
export const listPartitions = async (read: Reader, table: PartitionedTable): Promise<string[]> =>
  (
    await read.all<{ month: string }>(
      `select replace(right(child.relname, 7), '_', '-') as month
       from pg_inherits join pg_class child on child.oid = inhrelid
       where inhparent = $1::regclass and child.relname ~ '_\\d{4}_\\d\\d$' order by 1`,
      [table],
    )
  ).map((it) => it.month)

/** How many rows of a month are in the default partition, counted up to a limit. */
export const countInDefault = async (
  read: Reader,
  table: PartitionedTable,
  month: string,
  max: number,
): Promise<number> =>
  (
    await read.one<{ count: number }>(
      `select count(*) as count from (select 1 from ${table}_default where at >= $1 and at < $2 limit $3) as found`,
      [`${month}-01`, `${nextMonth(month)}-01`, max],
    )
  ).count

/**
 * Locks out all other sessions. Concurrent processes then find the partition created, and no row is on its way into the
 * default partition, which would reject it.
 */
export async function lockTable(tx: Tx, table: PartitionedTable): Promise<void> {
  await tx.all(`lock table ${table} in access exclusive mode`)
}

/** Creates the partition of a month and moves its rows out of the default partition. */
export async function createPartition(tx: Tx, table: PartitionedTable, month: string): Promise<void> {
  const partition = partitionOf(table, month)
  await tx.all(`create table ${partition} (like ${table} including all)`)
  await tx.all(
    `with moved as (delete from ${table}_default where at >= '${month}-01' and at < '${nextMonth(month)}-01' returning *)
     insert into ${partition} select * from moved`,
  )
  await tx.all(`alter table ${table} attach partition ${partition} for values ${rangeOf(month)}`)
}

export const dropPartition = async (tx: Tx, table: PartitionedTable, month: string): Promise<void> => {
  await tx.all(`drop table if exists ${partitionOf(table, month)}`)
}

/** Deletes a batch of expired rows of the default partition. */
export const expiredInDefault = (
  table: PartitionedTable,
): string => `delete from ${table}_default where (${keys[table]}) in (
  select ${keys[table]} from ${table}_default where at < $1 order by at limit $2) returning 1`

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}
