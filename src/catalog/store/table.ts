// The statements that all kinds of goods share. A table is described by its fields; a column is the field in snake case.

import { brokenUnique, type Reader, type Tx } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import type { Kept } from '../goods.ts'

export interface Table<G extends Kept> {
  name: string
  /** Without those that every table has. */
  fields: readonly (Exclude<keyof G, keyof Kept> & string)[]
}

const snake = (field: string): string => field.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`)

const keptFields = ['id', 'version', 'createdAt', 'updatedAt']

export const columnsOf = (table: { fields: readonly string[] }, alias = ''): string =>
  [...keptFields, ...table.fields].map((it) => `${alias && `${alias}.`}${snake(it)} as "${it}"`).join(', ')

export const findMany = <G extends Kept>(
  read: Reader,
  table: Table<G>,
  ids: readonly number[],
): Promise<G[]> => read.all<G>(`select ${columnsOf(table)} from ${table.name} where id = any($1)`, [ids])

/** Those that stand, held for this transaction, in the order of their ids so that two holders never wait in a ring. */
export const lockMany = <G extends Kept>(tx: Tx, table: Table<G>, ids: readonly number[]): Promise<G[]> =>
  tx.all<G>(`select ${columnsOf(table)} from ${table.name} where id = any($1) order by id for update`, [ids])

export const pageAfter = <G extends Kept>(
  read: Reader,
  table: Table<G>,
  { after, limit }: { after: number; limit: number },
): Promise<G[]> =>
  read.all<G>(`select ${columnsOf(table)} from ${table.name} where id > $1 order by id limit $2`, [
    after,
    limit,
  ])

/** Who holds these values of a field that must be unique. */
export const holdersOf = <G extends Kept>(
  read: Reader,
  table: Table<G>,
  { field, values }: { field: string; values: readonly string[] },
): Promise<{ id: number; value: string }[]> =>
  read.all(
    `select id, ${snake(field)}::text as value from ${table.name} where ${snake(field)}::text = any($1)`,
    [values],
  )

export const nextIds = async (tx: Tx, table: { name: string }, count: number): Promise<number[]> =>
  (
    await tx.all<{ id: number }>(
      `select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2::int4)`,
      [table.name, count],
    )
  ).map((it) => it.id)

/** Adds rows under their ids. One whose id was taken meanwhile is left out of what is returned. */
export async function insertMany<G extends Kept>(
  tx: Tx,
  table: Table<G>,
  rows: readonly Omit<G, 'version' | 'createdAt' | 'updatedAt'>[],
): Promise<G[]> {
  const columns = ['id', ...table.fields].map(snake).join(', ')
  return tx
    .all<G>(
      `insert into ${table.name} (${columns}, created_at, updated_at)
       select ${columns}, $2::timestamptz, $2::timestamptz from json_populate_recordset(null::${table.name}, $1)
       on conflict (id) do nothing returning ${columnsOf(table)}`,
      [asColumns(table, rows), tx.now],
    )
    .catch((error: unknown) => refuseBroken(error, rows))
}

/** Writes rows over those with their ids, each with its next version. */
export async function updateMany<G extends Kept>(tx: Tx, table: Table<G>, rows: readonly G[]): Promise<G[]> {
  const sets = table.fields.map((it) => `${snake(it)} = said.${snake(it)}`).join(', ')
  return tx
    .all<G>(
      `update ${table.name} as kept set ${sets}, version = kept.version + 1, updated_at = $2::timestamptz
       from json_populate_recordset(null::${table.name}, $1) as said
       where kept.id = said.id returning ${columnsOf(table, 'kept')}`,
      [asColumns(table, rows), tx.now],
    )
    .catch((error: unknown) => refuseBroken(error, rows))
}

export const deleteOne = async (tx: Tx, table: { name: string }, id: number): Promise<void> => {
  await tx.all(`delete from ${table.name} where id = $1`, [id]).catch((error: unknown) => refuseBroken(error))
}

function asColumns(table: { fields: readonly string[] }, rows: readonly object[]): string {
  const columns = ['id', ...table.fields].map((it) => [it, snake(it)] as const)
  return JSON.stringify(
    (rows as readonly Record<string, unknown>[]).map((row) => {
      const named: Record<string, unknown> = {}
      for (const [field, column] of columns) named[column] = row[field]
      return named
    }),
  )
}

/** The counter follows chosen ids up to here only: one that follows the largest of all has nowhere left to go. */
const highestCountedId = 10 ** 12

/** Moves the counter past ids that the shop chose itself. */
export async function keepIdsBehind(tx: Tx, table: { name: string }, ids: readonly number[]): Promise<void> {
  const highest = ids.reduce((most, it) => (it <= highestCountedId && it > most ? it : most), 0)
  if (highest === 0) return
  await tx.all(
    `select setval(counter, $2) from pg_get_serial_sequence($1, 'id') as counter where nextval(counter) < $2`,
    [table.name, highest],
  )
}

/**
 * What a constraint stopped although it was looked at before: somebody else was faster, or still needs the row. Of many
 * rows, nobody knows which one it was.
 */
function refuseBroken(error: unknown, rows: readonly object[] = []): never {
  const unique = brokenUnique(error)
  if (unique) {
    const field = ['slug', 'uuid'].find((it) => unique.endsWith(`_${it}`)) ?? 'id'
    const value = rows.length === 1 ? (rows[0] as Record<string, unknown>)[field] : undefined
    throw refuse('conflict', { field, ...(value !== undefined && { value }), reason: 'taken' })
  }
  if ((error as { code?: string }).code === '23503') throw refuse('conflict', { reason: 'in use' })
  throw error
}
