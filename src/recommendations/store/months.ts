// Rooms for the rows of a month, in tables that are divided by time. What has no room of its own stands in the rest.

import type { Reader, Tx } from '../../base/db.ts'

/** The tables that are divided by their instant `at`, and what a row of each is known by. */
const keys = {
  recommendations_interactions: 'buyer, at, offer, kind',
  recommendations_lists: 'id, at',
}
export type ByMonth = keyof typeof keys

const roomOf = (table: ByMonth, month: string) => `${table}_${month.replace('-', '_')}`
const rangeOf = (month: string) => `from ('${month}-01') to ('${nextMonth(month)}-01')`

/** The months that have room of their own, oldest first. */
export const months = async (read: Reader, table: ByMonth): Promise<string[]> =>
  (
    await read.all<{ month: string }>(
      `select replace(right(child.relname, 7), '_', '-') as month
       from pg_inherits join pg_class child on child.oid = inhrelid
       where inhparent = $1::regclass and child.relname ~ '_\\d{4}_\\d\\d$' order by 1`,
      [table],
    )
  ).map((it) => it.month)

/** How many rows of a month stand in the rest, counted up to a number. */
export const strays = async (read: Reader, table: ByMonth, month: string, most: number): Promise<number> =>
  (
    await read.one<{ count: number }>(
      `select count(*) as count from (select 1 from ${table}_rest where at >= $1 and at < $2 limit $3) as found`,
      [`${month}-01`, `${nextMonth(month)}-01`, most],
    )
  ).count

/**
 * Keeps everybody away for a moment. Of several processes that make room, the others then find it made; and a row that is
 * on its way into the rest would be refused there once its month has a room.
 */
export async function lockTable(tx: Tx, table: ByMonth): Promise<void> {
  await tx.all(`lock table ${table} in access exclusive mode`)
}

/** Makes room for a month that has none, and moves there what stands in the rest. */
export async function addMonth(tx: Tx, table: ByMonth, month: string): Promise<void> {
  const room = roomOf(table, month)
  await tx.all(`create table ${room} (like ${table} including all)`)
  await tx.all(
    `with moved as (delete from ${table}_rest where at >= '${month}-01' and at < '${nextMonth(month)}-01' returning *)
     insert into ${room} select * from moved`,
  )
  await tx.all(`alter table ${table} attach partition ${room} for values ${rangeOf(month)}`)
}

export const dropMonth = async (tx: Tx, table: ByMonth, month: string): Promise<void> => {
  await tx.all(`drop table if exists ${roomOf(table, month)}`)
}

/** What stands in no month of its own and is older than an instant. */
export const overAge = (table: ByMonth): string => `delete from ${table}_rest where (${keys[table]}) in (
  select ${keys[table]} from ${table}_rest where at < $1 order by at limit $2) returning 1`

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}
