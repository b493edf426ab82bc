import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../test/support/database.ts'
import { silentLog } from './log.ts'
import { DatabaseUnusable, migrate, migrations, pendingMigrations } from './migrate.ts'

async function emptyDatabase(): Promise<pg.PoolConfig> {
  const connection = await freshDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('drop schema platform cascade; drop schema live cascade; drop schema test cascade')
  await client.end()
  return connection
}

test('several processes on an empty database migrate it once', async () => {
  const connection = await emptyDatabase()
  const done = await Promise.all(Array.from({ length: 4 }, () => migrate(connection, silentLog())))
  deepEqual(
    done.flat().toSorted(),
    migrations()
      .map((it) => it.name)
      .toSorted(),
  )
})

test('a database with migrations of a newer version is refused with both versions', async () => {
  const connection = await freshDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`insert into platform.migrations (name) values ('9999-from-the-future')`)
  await client.end()
  const newest = migrations().at(-1)!.name
  await rejects(
    migrate(connection, silentLog()),
    (error: Error) =>
      error instanceof DatabaseUnusable &&
      error.message.includes('9999-from-the-future') &&
      error.message.includes(newest),
  )
})

test('a database that cannot be reached is named in one sentence', async () => {
  const unreachable = { connectionString: 'postgres://bozor@127.0.0.1:1/bozor' }
  await rejects(
    migrate(unreachable, silentLog()),
    /^DatabaseUnusable: The database cannot be used: .*ECONNREFUSED.*DATABASE_URL/,
  )
})

test('a migrated database lacks nothing, and migrating it again does nothing', async () => {
  const connection = await freshDatabase()
  deepEqual(await migrate(connection, silentLog()), [])
  const client = new pg.Client(connection)
  await client.connect()
  deepEqual(await pendingMigrations(async (sql) => (await client.query(sql)).rows), [])
  const { rows } = await client.query(
    `select table_schema, count(*)::int as n from information_schema.tables where table_schema in ('live', 'test') group by 1 order by 1`,
  )
  equal(rows[0].n, rows[1].n)
  await client.end()
})
