// The tables of the platform as data to copy: names, columns, order of loading, content checksums.

import pg from 'pg'
import { BackupUnusable } from './errors.ts'

export const schemas = ['platform', 'live', 'test']

export interface TableName {
  schema: string
  name: string
}

export interface Table extends TableName {
  /** Without generated columns, which the database computes. */
  columns: string[]
}

/** The content of a table, whatever the order of its rows. */
export interface Content {
  rows: number
  checksum: string
}

export interface Sequence extends TableName {
  /** Null when the sequence was never used. */
  lastValue: string | null
}

/** A part of a partitioned table. The platform creates them while it runs, one per month. */
export interface Partition extends TableName {
  parent: string
  /** As SQL: `FOR VALUES FROM … TO …` or `DEFAULT`. */
  bound: string
}

/** The migrations of a database are applied, not copied. */
const notCopied = ['platform.migrations', 'platform.migration_lock']

export const fullName = ({ schema, name }: TableName): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`

/** Opens a connection whose texts of values do not depend on settings of the server. */
export async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  // A table with millions of rows takes longer than a request may.
  const client = new pg.Client({ ...connection, statement_timeout: 0, lock_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  await client.query(
    `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
     set bytea_output = 'hex'; set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`,
  )
  return client
}

/** All tables, referenced tables before those that refer to them. */
export async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { references: string[] }>(
    `select n.nspname::text as schema, c.relname::text as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select distinct rn.nspname || '.' || r.relname from pg_constraint k
         join pg_class r on r.oid = k.confrelid join pg_namespace rn on rn.oid = r.relnamespace
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as references
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'r' and n.nspname || '.' || c.relname <> all($2)
     order by 1, 2`,
    [schemas, notCopied],
  )
  return inLoadOrder(rows).map(({ schema, name, columns }) => ({ schema, name, columns }))
}

function inLoadOrder<T extends TableName & { references: string[] }>(tables: T[]): T[] {
  const ordered: T[] = []
  const placed = new Set<string>()
  let waiting = tables
  while (waiting.length > 0) {
    const ready = waiting.filter((it) => it.references.every((name) => placed.has(name)))
    if (ready.length === 0)
      throw new Error(`tables refer to each other in a circle: ${waiting.map((it) => it.name).join(', ')}`)
    for (const it of ready) placed.add(`${it.schema}.${it.name}`)
    ordered.push(...ready)
    waiting = waiting.filter((it) => !ready.includes(it))
  }
  return ordered
}

export async function partitionsOf(client: pg.Client): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select n.nspname::text as schema, c.relname::text as name, p.relname::text as parent,
            pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where n.nspname = any($1) and c.relispartition and c.relkind = 'r' order by 1, 2`,
    [schemas],
  )
  return rows
}

/** Creates those that the migrations did not create. */
export async function addPartitions(client: pg.Client, partitions: readonly Partition[]): Promise<void> {
  for (const { schema, name, parent, bound } of partitions) {
    if (!partitionBound.test(bound)) throw new BackupUnusable(`The bound of the table ${name} is not known.`)
    await client.query(
      `create table if not exists ${fullName({ schema, name })}
       partition of ${fullName({ schema, name: parent })} ${bound}`,
    )
  }
}

/** What PostgreSQL prints for ranges of one column; nothing else of a manifest becomes SQL. */
const partitionBound = /^(DEFAULT|FOR VALUES FROM \('[^'();]*'\) TO \('[^'();]*'\))$/

export async function contentOf(client: pg.Client, table: TableName): Promise<Content> {
  const { rows } = await client.query<{ rows: string; checksum: string }>(
    `select count(*)::text as rows, coalesce(sum(hashtextextended(whole_row::text, 0)), 0)::text as checksum
     from ${fullName(table)} whole_row`,
  )
  return { rows: Number(rows[0]!.rows), checksum: rows[0]!.checksum }
}

export async function sequencesOf(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname::text as schema, sequencename::text as name, last_value::text as "lastValue"
     from pg_sequences where schemaname = any($1) order by 1, 2`,
    [schemas],
  )
  return rows
}

export async function setSequences(client: pg.Client, sequences: readonly Sequence[]): Promise<void> {
  for (const it of sequences)
    if (it.lastValue !== null)
      await client.query(`select setval($1::text::regclass, $2::text::int8)`, [fullName(it), it.lastValue])
}

export const copyOutSql = (table: Table): string => `copy ${fullName(table)} (${columnList(table)}) to stdout`

export const copyInSql = (table: Table): string => `copy ${fullName(table)} (${columnList(table)}) from stdin`

const columnList = ({ columns }: Table): string => columns.map((it) => pg.escapeIdentifier(it)).join(', ')

/** The names of applied migrations; undefined for a database that was never migrated. */
export async function appliedMigrations(client: pg.Client): Promise<string[] | undefined> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('platform.migrations') is not null as exists`,
  )
  if (!found[0]!.exists) return undefined
  const { rows } = await client.query<{ name: string }>(`select name from platform.migrations order by name`)
  return rows.map((it) => it.name)
}

/** Connections of servers and commands to this database, without the given one. */
export async function otherConnections(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
       and application_name like 'bozor-%'`,
  )
  return rows[0]!.n
}
