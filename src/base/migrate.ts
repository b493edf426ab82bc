// Brings a database to the present shape. Files run in order, each once, each in one transaction; there is no way back.

import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { Log } from './log.ts'

export interface Migration {
  name: string
  /** The schemas it runs in: `platform`, or `live` and `test`, the same statements in each. */
  schemas: string[]
  sql: string
}

const folder = new URL('../../migrations/', import.meta.url)

/** The migration files in order. A file says with `-- in live, test` where it runs. */
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

/** Runs what has not run yet and returns its names. Several processes may call it at once: a row lock lets one in. */
export async function migrate(connection: pg.ClientConfig, log: Log): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await prepare(client)
    const done: string[] = []
    for (const migration of migrations()) if (await runOnce(client, migration)) done.push(migration.name)
    if (done.length > 0) log.info('the database was migrated', { migrations: done })
    return done
  } finally {
    await client.end()
  }
}

/** The names of migrations that this database still lacks. */
export async function pendingMigrations(
  query: (sql: string) => Promise<{ name: string }[]>,
): Promise<string[]> {
  const done = new Set((await query('select name from platform.migrations')).map((it) => it.name))
  return migrations()
    .map((it) => it.name)
    .filter((it) => !done.has(it))
}

async function prepare(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select to_regclass('platform.migration_lock') is not null as ready`)
  if (rows[0].ready) return
  // Two processes on an empty database both come here; the loser of the race sees what the winner made.
  await client
    .query(
      `begin;
       create schema if not exists platform; create schema if not exists live; create schema if not exists test;
       create table if not exists platform.migrations (name text primary key, run_at timestamptz not null default now());
       create table if not exists platform.migration_lock (single bool primary key default true check (single));
       insert into platform.migration_lock default values on conflict do nothing;
       commit`,
    )
    .catch(async (error: { code?: string }) => {
      await client.query('rollback')
      if (!['23505', '42P06', '42P07', '40001'].includes(error.code ?? '')) throw error
      return prepare(client)
    })
}

async function runOnce(client: pg.Client, migration: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query('select 1 from platform.migration_lock for update')
    const { rowCount } = await client.query('select 1 from platform.migrations where name = $1', [
      migration.name,
    ])
    if (!rowCount) {
      for (const schema of migration.schemas) {
        await client.query(`set local search_path = ${schema}, platform`)
        await client.query(migration.sql)
      }
      await client.query('insert into platform.migrations (name) values ($1)', [migration.name])
    }
    await client.query('commit')
    return !rowCount
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}
