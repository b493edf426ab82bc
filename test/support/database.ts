// A database of one's own, a copy of the migrated template. Whoever runs the tests removes them all in the end.

import pg from 'pg'
import { secretText } from '../../src/base/random.ts'

function storage(): pg.PoolConfig {
  const given = process.env['BOZOR_TEST_STORAGE']
  if (!given)
    throw new Error('run the tests with "npm test", or some of them with "npm test -- part-of-the-name"')
  return JSON.parse(given) as pg.PoolConfig
}

const within = (database: string): pg.PoolConfig => {
  const { connectionString, ...rest } = storage()
  if (!connectionString) return { ...rest, database }
  return { connectionString: Object.assign(new URL(connectionString), { pathname: `/${database}` }).href }
}

async function asOwner(sql: string): Promise<void> {
  const client = new pg.Client(storage())
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** Returns how to reach a fresh, migrated, empty database. */
export async function freshDatabase(): Promise<pg.PoolConfig> {
  const name = `bozor_${secretText(12).toLowerCase()}`
  await asOwner(`create database ${name} template bozor_template`)
  return within(name)
}

/** The same way as `DATABASE_URL` says it, for a process of its own. */
export function databaseUrl(connection: pg.PoolConfig): string {
  if (connection.connectionString) return connection.connectionString
  const { host, port, user, database, password } = new pg.Client(connection)
  const login = [user, password].filter(Boolean).map((it) => encodeURIComponent(it!))
  return `postgres://${login.join(':')}@${encodeURIComponent(host)}:${port}/${database}`
}

/** Removes a database that `freshDatabase` made; for runs that make hundreds. */
export async function dropDatabase(connection: pg.PoolConfig): Promise<void> {
  const { database } = new pg.Client(connection)
  await asOwner(`drop database "${database}" with (force)`)
}
