// Record kinds for import tests, with their own tables: a tree, children of the tree, and rows with a unique text.

import pg from 'pg'
import { Type } from 'typebox'
import type { Tx } from '../../src/base/database.ts'
import type { RecordKind, RejectedRecord } from '../../src/base/records/record-kind.ts'
import { id, integer, name, nullable, strict } from '../../src/http/schema.ts'
import { freshDatabase } from './database.ts'

interface Room {
  id: number
  parent_id?: number | null
  name: string
}
interface Box {
  id: number
  room_id: number
  weight: number
}
interface Label {
  code: string
  text: string
}

const tables = `
  create table record_rooms (id int8 primary key, parent_id int8, name text not null, stored int not null default 1);
  create table record_boxes (id int8 primary key, room_id int8 not null, weight int not null, stored int not null default 1);
  create table record_labels (code text primary key, text text not null unique);`

/** A new database with these tables in both environments. */
export async function databaseWithRecords(): Promise<pg.PoolConfig> {
  const connection = await freshDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  for (const schema of ['live', 'test']) await client.query(`set search_path = ${schema}; ${tables}`)
  await client.end()
  return connection
}

const pageOf = async (
  read: Parameters<RecordKind['page']>[0],
  sql: string,
  { after, limit }: { after: string | null; limit: number },
) => {
  const records = await read.all<{ id: number }>(sql, [after ?? 0, limit])
  return { records, last: records.length === limit ? String(records.at(-1)!.id) : null }
}

async function absent(tx: Tx, wanted: readonly number[]): Promise<Set<number>> {
  const found = await tx.all<{ id: number }>(`select id from record_rooms where id = any($1) for share`, [
    wanted,
  ])
  const standing = new Set(found.map((it) => it.id))
  return new Set(wanted.filter((it) => !standing.has(it)))
}

/** Stores the valid records and returns the others as rejected; unchanged rows are not written. */
async function loadGood<T>(
  records: readonly T[],
  missing: (record: T) => string | undefined,
  store: (good: T[]) => Promise<unknown>,
): Promise<RejectedRecord[]> {
  const unloaded = records.flatMap((it, at) => {
    const path = missing(it)
    return path ? [{ at, faults: [{ path, rule: 'exists' }], isMissingReference: true }] : []
  })
  const left = new Set(unloaded.map((it) => it.at))
  await store(records.filter((_, at) => !left.has(at)))
  return unloaded
}

const room: RecordKind = {
  name: 'room',
  shape: strict({ id, parent_id: Type.Optional(nullable(id)), name: name(100, 'Top') }),
  async load(tx, given) {
    const rooms = given as Room[]
    const gone = await absent(
      tx,
      rooms.flatMap((it) => it.parent_id ?? []),
    )
    return loadGood(
      rooms,
      (it) => (it.parent_id && gone.has(it.parent_id) ? 'parent_id' : undefined),
      (good) =>
        tx.all(
          `insert into record_rooms (id, parent_id, name)
           select * from unnest($1::int8[], $2::int8[], $3::text[])
           on conflict (id) do update set parent_id = excluded.parent_id, name = excluded.name, stored = record_rooms.stored + 1
           where (record_rooms.parent_id, record_rooms.name) is distinct from (excluded.parent_id, excluded.name)`,
          [good.map((it) => it.id), good.map((it) => it.parent_id ?? null), good.map((it) => it.name)],
        ),
    )
  },
  page: (read, after, limit) =>
    pageOf(read, `select id, parent_id, name from record_rooms where id > $1 order by id limit $2`, {
      after,
      limit,
    }),
}

const box: RecordKind = {
  name: 'box',
  shape: strict({ id, room_id: id, weight: integer(1, 1_000) }),
  async load(tx, given) {
    const boxes = given as Box[]
    const gone = await absent(
      tx,
      boxes.map((it) => it.room_id),
    )
    return loadGood(
      boxes,
      (it) => (gone.has(it.room_id) ? 'room_id' : undefined),
      (good) =>
        tx.all(
          `insert into record_boxes (id, room_id, weight) select * from unnest($1::int8[], $2::int8[], $3::int4[])
           on conflict (id) do update set room_id = excluded.room_id, weight = excluded.weight, stored = record_boxes.stored + 1
           where (record_boxes.room_id, record_boxes.weight) is distinct from (excluded.room_id, excluded.weight)`,
          [good.map((it) => it.id), good.map((it) => it.room_id), good.map((it) => it.weight)],
        ),
    )
  },
  page: (read, after, limit) =>
    pageOf(read, `select id, room_id, weight from record_boxes where id > $1 order by id limit $2`, {
      after,
      limit,
    }),
}

/** Conflicts are found only by the unique constraint, as in a race with another import. */
const label: RecordKind = {
  name: 'label',
  key: 'code',
  area: 'admin',
  shape: strict({ code: name(20, 'A1'), text: name(100, 'Fragile') }),
  async load(tx, given) {
    const labels = given as Label[]
    await tx.all(
      `insert into record_labels (code, text) select * from unnest($1::text[], $2::text[])
       on conflict (code) do update set text = excluded.text`,
      [labels.map((it) => it.code), labels.map((it) => it.text)],
    )
    return []
  },
  async page(read, after, limit) {
    const records = await read.all<{ code: string; text: string }>(
      `select code, text from record_labels where code > $1 order by code limit $2`,
      [after ?? '', limit],
    )
    return {
      records: records.map((it) => ({ ...it })),
      last: records.length === limit ? records.at(-1)!.code : null,
    }
  },
}

export const testKinds: RecordKind[] = [room, box, label]

export const ndjson = (records: readonly unknown[]): string =>
  records.map((it) => `${typeof it === 'string' ? it : JSON.stringify(it)}\n`).join('')
