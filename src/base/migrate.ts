// Forward-only migrations. Files run in order, each once, each in one transaction.

import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { Log } from './log.ts'

export interface Migration {
  name: string
  /** The schemas in which its statements run: `platform`, or `live` and `test`. */
  schemas: string[]
  sql: string
}

const folder = new URL('../../migrations/', import.meta.url)

/** The migration files in order. A line `-- in live, test` names the schemas. */
export function migrations(): Migration[] {
  const files = readdirSync(folder).filter((it) => it.endsWith('.sql'))
  return files.toSorted().map((file) => {
    const sql = readFileSync(new URL(file, folder), 'utf8')
    const schemas = /^-- in ([a-z, ]+)$/m
      .exec(sql)?.[1]
      ?.split(',')
      .map((it) => it.trim())
    if (!schemas?.length) throw new Error(`migrations/${file} does not say "-- in <schemas>"`)
    return { name: file.replace(/\.sql$/, ''), schemas, sql }
  })
}

/** Runs pending migrations and returns their names. Concurrent calls are serialized by a row lock. */
export async function migrate(connection: pg.ClientConfig, log: Log): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(`The database cannot be used: ${reasonOf(error)}. ${connectionAdvice}`, {
      cause: error,
    })
  })
  try {
    const done = await runPending(client, migrations())
    if (done.length > 0) log.info('database migrated', { migrations: done })
    return done
  } finally {
    await client.end()
  }
}

/** A connection, as far as migrations need it. */
export type MigrationClient = Pick<pg.Client, 'query'>

/** Runs those of the migrations that the database lacks and returns their names. */
export async function runPending(client: MigrationClient, all: readonly Migration[]): Promise<string[]> {
  await prepare(client)
  const { rows } = await client.query<{ name: string }>(`select name from platform.migrations order by name`)
  const before = rows.map((it) => it.name)
  refuseUnknown(
    before,
    all.map((it) => it.name),
  )
  const done: string[] = []
  for (const migration of all.filter((it) => !before.includes(it.name)))
    if (await runOnce(client, migration)) done.push(migration.name)
  return done
}

/** A database that the server cannot work with, with what to do about it. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
}

/** No connection could be made. */
export class DatabaseUnreachable extends DatabaseUnusable {}

const connectionAdvice = 'Check DATABASE_URL and that PostgreSQL is running.'

/** Node reports a refused connection to several addresses as an error without a message. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] }
  return message || errors?.[0]?.message || code || String(error)
}

/** A newer version may have changed tables in ways that this one would break. */
function refuseUnknown(before: readonly string[], known: readonly string[]): void {
  const unknown = before.filter((it) => !known.includes(it))
  if (unknown.length === 0) return
  throw new DatabaseUnusable(
    `The database was migrated by a newer version of Bozor: it has ${unknown.join(', ')}, and this ` +
      `version knows migrations up to ${known.at(-1)}. Start the newer version, or restore a backup made by this one.`,
  )
}

/** The names of migrations that this database lacks. */
export async function pendingMigrations(
  query: (sql: string) => Promise<{ name: string }[]>,
): Promise<string[]> {
  const done = new Set((await query('select name from platform.migrations')).map((it) => it.name))
  return migrations()
    .map((it) => it.name)
    .filter((it) => !done.has(it))
}

const baseTables = `
  create schema if not exists platform; create schema if not exists live; create schema if not exists test;
  create table if not exists platform.migrations (name text primary key, run_at timestamptz not null default now());
  create table if not exists platform.migration_lock (single bool primary key default true check (single));
  insert into platform.migration_lock default values on conflict do nothing`

async function prepare(client: MigrationClient): Promise<void> {
  const { rows } = await client.query(`select to_regclass('platform.migration_lock') is not null as ready`)
  if (rows[0].ready) return
  // Two processes may create these at once on an empty database; the loser retries and finds them.
  await client.query(`begin; ${baseTables}; commit`).catch(async (error: { code?: string }) => {
    await client.query('rollback')
    if (!['23505', '42P06', '42P07', '40001'].includes(error.code ?? '')) throw error
    return prepare(client)
  })
}

async function runOnce(client: MigrationClient, migration: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query('select 1 from platform.migration_lock for update')
    const { rowCount } = await client.query('select 1 from platform.migrations where name = $1', [
      migration.name,
    ])
    if (!rowCount) await apply(client, migration)
    await client.query('commit')
    return !rowCount
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function apply(client: MigrationClient, { name, schemas, sql }: Migration): Promise<void> {
  for (const schema of schemas) {
    await client.query(`set local search_path = ${schema}, platform`)
    await client.query(sql)
  }
  await client.query('insert into platform.migrations (name) values ($1)', [name])
}

/** Runs exactly these migrations on an empty database, in the transaction that the caller has begun. */
export async function applyMigrations(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query(baseTables)
  for (const migration of migrations()) if (names.includes(migration.name)) await apply(client, migration)
  await client.query('reset search_path')
}
