// The statements that all entity kinds share. A table is described by its fields; a column is the field in snake case.

import { type Reader, type Tx, violatedUnique } from '../../base/database.ts'
import { brokenReference } from '../../base/sql-errors.ts'
import { conflict } from '../../base/conflict.ts'
import type { Entity } from './entities.ts'
import { type ListPage, type ListQuery, type ListRequest, loadPage } from '../../base/listing.ts'

export interface Table<G extends Entity> {
  name: string
  /** Without the fields that every table has. */
  fields: readonly (Exclude<keyof G, keyof Entity> & string)[]
}

const snake = (field: string): string => field.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`)

const sharedFields = ['id', 'version', 'createdAt', 'updatedAt']

export const columnsOf = (table: { fields: readonly string[] }, alias = ''): string =>
  [...sharedFields, ...table.fields].map((it) => `${alias && `${alias}.`}${snake(it)} as "${it}"`).join(', ')

export const findMany = <G extends Entity>(
  read: Reader,
  table: Table<G>,
  ids: readonly number[],
): Promise<G[]> => read.all<G>(`select ${columnsOf(table)} from ${table.name} where id = any($1)`, [ids])

/** Existing rows, locked in the order of their ids, so that two transactions never deadlock. */
export const lockMany = <G extends Entity>(tx: Tx, table: Table<G>, ids: readonly number[]): Promise<G[]> =>
  tx.all<G>(`select ${columnsOf(table)} from ${table.name} where id = any($1) order by id for update`, [ids])

export const pageAfter = <G extends Entity>(
  read: Reader,
  table: Table<G>,
  { after, limit }: { after: number; limit: number },
): Promise<G[]> =>
  read.all<G>(`select ${columnsOf(table)} from ${table.name} where id > $1 order by id limit $2`, [
    after,
    limit,
  ])

/** The ids of rows that have these values in a unique field. */
export const holdersOf = <G extends Entity>(
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

/** Inserts rows with their ids. Rows whose id was taken meanwhile are not returned. */
export async function insertMany<G extends Entity>(
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

/** Replaces rows by id and increments their versions. */
export async function updateMany<G extends Entity>(
  tx: Tx,
  table: Table<G>,
  rows: readonly G[],
): Promise<G[]> {
  const sets = table.fields.map((it) => `${snake(it)} = input.${snake(it)}`).join(', ')
  return tx
    .all<G>(
      `update ${table.name} as kept set ${sets}, version = kept.version + 1, updated_at = $2::timestamptz
       from json_populate_recordset(null::${table.name}, $1) as input
       where kept.id = input.id returning ${columnsOf(table, 'kept')}`,
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

/** The sequence is not advanced beyond this, so that a huge chosen id does not exhaust it. */
const maxSequenceId = 10 ** 12

/** Advances the sequence past chosen ids. */
export async function advanceSequence(
  tx: Tx,
  table: { name: string },
  ids: readonly number[],
): Promise<void> {
  const highest = ids.reduce((most, it) => (it <= maxSequenceId && it > most ? it : most), 0)
  if (highest === 0) return
  await tx.all(
    `select setval(counter, $2) from pg_get_serial_sequence($1, 'id') as counter where nextval(counter) < $2`,
    [table.name, highest],
  )
}

/**
 * Translates constraint violations that the checks before did not see: another transaction was faster, or still references
 * the row. With many rows the value is unknown.
 */
function refuseBroken(error: unknown, rows: readonly object[] = []): never {
  const unique = violatedUnique(error)
  if (unique) {
    const field = ['slug', 'uuid', 'code'].find((it) => unique.endsWith(`_${it}`)) ?? 'id'
    const value = rows.length === 1 ? (rows[0] as Record<string, unknown>)[field] : undefined
    throw conflict('taken', { field, ...(value !== undefined && { value }) })
  }
  const reference = brokenReference(error)
  if (!reference) throw error
  const { field, value, table } = reference
  throw rows.length > 0
    ? conflict('reference_gone', { field, value })
    : conflict('in_use', { id: value, used_by: table.replace(/^[a-z]+_/, '') })
}

/** Kinds that offers reference. */
export type ReferencedKind = 'variant' | 'loan condition'

const referencesIn: Record<ReferencedKind, (table: string) => string> = {
  variant: (table) => `select variant_id as id from ${table} where variant_id = any($1)`,
  // Only offers of the condition's partner can reference it.
  'loan condition': (table) =>
    `select unnest(loan_condition_ids) as id from ${table} where loan_condition_ids && $1 and partner_id in
       (select partner_id from catalog_loan_conditions where id = any($1))`,
}

const promotionReferences: Record<ReferencedKind, string> = {
  variant: '',
  'loan condition': `union select unnest(loan_condition_ids) from catalog_promotions where loan_condition_ids && $1`,
}

/** The ids that an offer or a promotion references. The rows must be locked, as writers of offers lock them too. */
export async function referencedIds(
  tx: Tx,
  by: ReferencedKind,
  ids: readonly number[],
): Promise<Set<number>> {
  const found = await tx.all<{ id: number }>(
    `${referencesIn[by]('catalog_offers')} union ${referencesIn[by]('catalog_moderated_offers')} ${promotionReferences[by]}`,
    [ids],
  )
  return new Set(found.map((it) => it.id))
}

/** The ids that exist, locked against deletion, with their owners if a column is given. */
export async function lockReferenced(
  tx: Tx,
  table: { name: string },
  { ids, owner }: { ids: readonly number[]; owner: string | undefined },
): Promise<Map<number, number | null>> {
  const rows = await tx.all<{ id: number; owner: number | null }>(
    `select id, ${owner ?? 'null::int8'} as owner from ${table.name} where id = any($1) order by id for key share`,
    [ids],
  )
  return new Map(rows.map((it) => [it.id, it.owner]))
}

/** A filter of a list: the condition before its value, such as `price_tiyin >=`. */
export type Condition = [sql: string, value: unknown]

export const listEntities = <G extends Entity>(
  read: Reader,
  table: Table<G>,
  {
    listing,
    conditions,
    sorts,
  }: { listing: ListRequest; conditions: Condition[]; sorts: ListQuery['sorts'] },
): Promise<ListPage<G>> =>
  loadPage<G>(
    read,
    {
      columns: columnsOf(table),
      from: table.name,
      where: conditions.map(([sql], at) => `${sql} $${at + 1}`),
      values: conditions.map(([, value]) => value),
      sorts,
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )
