// One PostgreSQL for a test run, with a migrated template database.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { silentLog } from '../../src/base/log.ts'
import { migrate } from '../../src/base/migrate.ts'
import { openStorage } from '../../src/base/storage.ts'

export interface TestStorage {
  /** The value of `BOZOR_TEST_STORAGE`. */
  connectionJson: string
  /** The value of `BOZOR_TEST_DATA_DIR`: where `preparedFolder` keeps its original. */
  preparedDir: string
  close(): Promise<void>
}

export async function openTestStorage(): Promise<TestStorage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bozor-test-'))
  // The account that runs PostgreSQL must be able to enter it; otherwise the cluster is created elsewhere and remains.
  chmodSync(dataDir, 0o711)
  const storage = await openStorage(
    { databaseUrl: process.env['TEST_DATABASE_URL'], dataDir },
    {
      role: 'server',
      commandName: 'test',
      log: silentLog(),
      settings: {
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        max_connections: '200',
        // It would visit one of hundreds of databases several times a second.
        autovacuum: 'off',
      },
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
  const preparedDir = join(dataDir, 'prepared')
  mkdirSync(preparedDir, { mode: 0o711 })
  return { connectionJson: JSON.stringify(storage.connection), preparedDir, close }
}

/** For an external server; an embedded one is removed with its folder. */
async function dropDatabases(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(`select datname from pg_database where datname like 'bozor\\_%'`)
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`)
  await client.end()
}

/** Migrated once; a copy takes a few tens of milliseconds. */
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
