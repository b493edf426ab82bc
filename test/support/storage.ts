// One PostgreSQL for a whole run, with a migrated template of which every test file gets a copy.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { silentLog } from '../../src/base/log.ts'
import { migrate } from '../../src/base/migrate.ts'
import { openStorage } from '../../src/base/storage.ts'

export interface TestStorage {
  /** How to reach it, for `BOZOR_TEST_STORAGE`. */
  spelled: string
  /** Puts everything away. */
  close(): Promise<void>
}

export async function openTestStorage(): Promise<TestStorage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-test-'))
  // Open to the account under which PostgreSQL runs, else its data would stand elsewhere and stay.
  chmodSync(dataDir, 0o711)
  const storage = await openStorage(
    { databaseUrl: process.env['TEST_DATABASE_URL'], dataDir },
    {
      role: 'server',
      commandName: 'test',
      log: silentLog(),
      settings: { fsync: 'off', synchronous_commit: 'off', max_connections: '200' },
    },
  )
  const close = async () => {
    if (!storage.embedded) await dropDatabases(storage.connection)
    await storage.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  await makeTemplate(storage.connection).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return { spelled: JSON.stringify(storage.connection), close }
}

/** In an embedded database they go with its folder; in a lent one they would stay. */
async function dropDatabases(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(`select datname from pg_database where datname like 'bozor\\_%'`)
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`)
  await client.end()
}

/** Migrated once; copies of it cost a few hundredths of a second. */
async function makeTemplate(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('drop database if exists bozor_template')
  await client.query('create database bozor_template')
  await client.end()
  const { connectionString, ...rest } = connection
  const url =
    connectionString && Object.assign(new URL(connectionString), { pathname: '/bozor_template' }).href
  await migrate(url ? { connectionString: url } : { ...rest, database: 'bozor_template' }, silentLog())
}
