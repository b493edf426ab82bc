// Runs the tests: one PostgreSQL for all of them, a database of its own for every file that asks for one.
// Words after the command choose files by a part of their path.

import { spawn } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { silentLog } from '../src/base/log.ts'
import { migrate } from '../src/base/migrate.ts'
import { openStorage } from '../src/base/storage.ts'

const words = process.argv.slice(2)
const chosen = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'bin/**/*.test.ts'])
  .toSorted()
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
if (chosen.length === 0) {
  console.error(`no test file is named like ${words.join(', ')}`)
  process.exit(1)
}

const dataDir = mkdtempSync(join(tmpdir(), 'bozor-test-'))
// Open to the account under which PostgreSQL runs, else its data would stand elsewhere and stay.
chmodSync(dataDir, 0o711)
// A signal goes to the tests; they end, and then everything is put away here.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const storage = await openStorage(
  { databaseUrl: process.env['TEST_DATABASE_URL'], dataDir },
  {
    role: 'server',
    commandName: 'test',
    log: silentLog(),
    settings: { fsync: 'off', synchronous_commit: 'off', max_connections: '200' },
  },
)
try {
  await makeTemplate()
  process.exitCode = await new Promise<number>((done) => {
    const flags = [
      '--test',
      '--test-concurrency=2',
      '--test-reporter=spec',
      '--disable-warning=ExperimentalWarning',
    ]
    const env = {
      ...process.env,
      BOZOR_TEST_STORAGE: JSON.stringify(storage.connection),
      NODE_TEST_CONTEXT: undefined,
    }
    spawn(process.execPath, [...flags, ...chosen], { stdio: 'inherit', env }).once('exit', (code) =>
      done(code ?? 1),
    )
  })
} finally {
  if (!storage.embedded) await dropDatabases()
  await storage.close()
  rmSync(dataDir, { recursive: true, force: true })
}

/** In an embedded database they go with its folder; in a lent one they would stay. */
async function dropDatabases(): Promise<void> {
  const client = new pg.Client(storage.connection)
  await client.connect()
  const { rows } = await client.query(`select datname from pg_database where datname like 'bozor\\_%'`)
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`)
  await client.end()
}

/** Migrated once; copies of it cost a few hundredths of a second. */
async function makeTemplate(): Promise<void> {
  const client = new pg.Client(storage.connection)
  await client.connect()
  await client.query('drop database if exists bozor_template')
  await client.query('create database bozor_template')
  await client.end()
  const { connectionString, ...rest } = storage.connection
  const url =
    connectionString && Object.assign(new URL(connectionString), { pathname: '/bozor_template' }).href
  await migrate(url ? { connectionString: url } : { ...rest, database: 'bozor_template' }, silentLog())
}
