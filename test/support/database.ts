// A database for one test file: a copy of the migrated template. The test runner removes all of them at the end.

import pg from 'pg'
import { secretText } from '../../src/base/random.ts'
import { openTestStorage } from './storage.ts'

/** A busy machine must not turn a slow statement into a refusal. */
const longTimeouts = {
  statement_timeout: 300_000,
  lock_timeout: 120_000,
  connectionTimeoutMillis: 120_000,
}

let ownStorage: Promise<pg.PoolConfig> | undefined

/** The storage of `npm test`. A test file that runs alone, for example from an editor, starts its own. */
function storage(): Promise<pg.PoolConfig> {
  const given = process.env['BOZOR_TEST_STORAGE']
  return given ? Promise.resolve(JSON.parse(given) as pg.PoolConfig) : (ownStorage ??= startOwnStorage())
}

async function startOwnStorage(): Promise<pg.PoolConfig> {
  const opened = await openTestStorage()
  process.env['BOZOR_TEST_STORAGE'] = opened.connectionJson
  // After all hooks of the file: they close the connections first.
  process.once('beforeExit', () => void opened.close())
  return JSON.parse(opened.connectionJson) as pg.PoolConfig
}

const connectionTo = async (database: string): Promise<pg.PoolConfig> => {
  const { connectionString, ...rest } = await storage()
  if (!connectionString) return { ...rest, ...longTimeouts, database }
  const url = Object.assign(new URL(connectionString), { pathname: `/${database}` })
  return { connectionString: url.href, ...longTimeouts }
}

async function asOwner(sql: string): Promise<void> {
  const client = new pg.Client(await storage())
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** Creates a migrated, empty database. */
export async function freshDatabase(): Promise<pg.PoolConfig> {
  const name = `bozor_${secretText(12).toLowerCase()}`
  // Copies the files instead of writing every page to the log, which costs four times as much.
  await asOwner(`create database ${name} template bozor_template strategy file_copy`)
  return connectionTo(name)
}

/** The connection as a `DATABASE_URL`, for another process. */
export function databaseUrl(connection: pg.PoolConfig): string {
  if (connection.connectionString) return connection.connectionString
  const { host, port, user, database, password } = new pg.Client(connection)
  const login = [user, password].filter(Boolean).map((it) => encodeURIComponent(it!))
  return `postgres://${login.join(':')}@${encodeURIComponent(host)}:${port}/${database}`
}

/** Removes a database of `freshDatabase`; for runs that create hundreds. */
export async function dropDatabase(connection: pg.PoolConfig): Promise<void> {
  const { database } = new pg.Client(connection)
  await asOwner(`drop database "${database}" with (force)`)
}
