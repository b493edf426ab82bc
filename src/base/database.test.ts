import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabaseProxy } from '../../test/support/database-proxy.ts'
import { freshDatabase } from '../../test/support/database.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { systemClock } from './clock.ts'
import { Database, type DatabaseConnection } from './database.ts'
import { publish } from './outbox.ts'
import { refuse } from './refusal.ts'

const connection = await freshDatabase()
const open = (environment: 'live' | 'test', to: DatabaseConnection = connection) =>
  new Database({ connection: to, environment, clock: systemClock(), poolSize: 4 })
const db = open('test')
const other = open('live')
after(() => Promise.all([db.close(), other.close()]))

const insert = (slug: string) =>
  `insert into catalog_brands (slug, name, created_at, updated_at) values ('${slug}', 'x', now(), now())`
const countOf = async (slug: string, at = db) =>
  (await at.read().one<{ n: number }>('select count(*) as n from catalog_brands where slug = $1', [slug])).n

test('a transaction commits all or nothing', async () => {
  await db.transaction((tx) => tx.all(insert('kept')))
  await rejects(
    db.transaction(async (tx) => {
      await tx.all(insert('lost'))
      throw refuse('conflict')
    }),
    { code: 'conflict' },
  )
  deepEqual([await countOf('kept'), await countOf('lost')], [1, 0])
})

test('one environment does not see the other', async () => {
  await db.transaction((tx) => tx.all(insert('only-in-test')))
  deepEqual([await countOf('only-in-test'), await countOf('only-in-test', other)], [1, 0])
})

test('through a pooler, a connection has the same search path, time zone and timeouts', async () => {
  const pooled = open('live', { ...connection, isPooled: true })
  const settings = `select replace(current_setting('search_path'), ' ', '') as path, current_setting('timezone') as zone,
    current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
  try {
    deepEqual(await pooled.read().one(settings), await other.read().one(settings))
    equal(await countOf('kept', pooled), 0)
  } finally {
    await pooled.close()
  }
})

test('a dry run executes everything and keeps nothing, not even an event', async () => {
  const published: unknown[] = []
  db.onPublished = (events) => published.push(...events)
  const seen = await db.dryRun(async (tx) => {
    await tx.all(insert('rehearsed'))
    publish(tx, { type: 'BrandDeleted', brandId: 1 })
    return tx.all('select 1 from catalog_brands where slug = $1', ['rehearsed'])
  })
  db.onPublished = () => {}
  deepEqual([seen.length, await countOf('rehearsed'), published.length], [1, 0, 0])
})

test('a failed attempt undoes its own writes and events, and the transaction continues', async () => {
  const publishedCount = await db.transaction(async (tx) => {
    await tx.all(insert('before-attempt'))
    await tx
      .attempt(async () => {
        await tx.all(insert('in-attempt'))
        publish(tx, { type: 'BrandDeleted', brandId: 1 })
        throw new Error('no')
      })
      .catch(() => {})
    await tx.all(insert('after-attempt'))
    return tx.published.length
  })
  deepEqual(
    [
      await countOf('before-attempt'),
      await countOf('in-attempt'),
      await countOf('after-attempt'),
      publishedCount,
    ],
    [1, 0, 1, 0],
  )
})

test('an attempt that fails around another that failed undoes all of its own writes', async () => {
  await db.transaction(async (tx) => {
    await tx
      .attempt(async () => {
        await tx.all(insert('outer-before'))
        await tx.attempt(() => Promise.reject(new Error('inner'))).catch(() => {})
        await tx.all(insert('outer-after'))
        throw new Error('outer')
      })
      .catch(() => {})
    await tx.all(insert('beside'))
  })
  deepEqual([await countOf('outer-before'), await countOf('outer-after'), await countOf('beside')], [0, 0, 1])
})

test('two transactions that lock each other out both succeed in the end', async () => {
  await db.transaction((tx) => tx.all(insert('left')))
  await db.transaction((tx) => tx.all(insert('right')))
  const locked = new Set<string>()
  const touch = (first: string, second: string) =>
    db.transaction(async (tx) => {
      const update = (slug: string) =>
        tx.all('update catalog_brands set version = version + 1 where slug = $1', [slug])
      await update(first)
      locked.add(first)
      await waitUntil(() => locked.size === 2, { what: 'both transactions hold a lock' })
      await update(second)
    })
  await Promise.all([touch('left', 'right'), touch('right', 'left')])
  const rows = await db
    .read()
    .all<{ version: number }>(`select version from catalog_brands where slug in ('left', 'right')`)
  deepEqual(
    rows.map((it) => it.version),
    [3, 3],
  )
})

test('hooks run after the commit and not after a rollback', async () => {
  const ran: string[] = []
  await db.transaction(
    async (tx) =>
      tx.afterCommit(async () => void ran.push(`sees ${await countOf('hooked')}`)) ??
      tx.all(insert('hooked')),
  )
  await db
    .transaction(async (tx) => {
      tx.afterCommit(() => void ran.push('never'))
      throw refuse('conflict')
    })
    .catch(() => {})
  deepEqual(ran, ['sees 1'])
})

test('whole numbers of eight bytes are numbers, and one that does not fit is an error', async () => {
  deepEqual(await db.read().one('select 9007199254740991::int8 as n, array[1,2]::int8[] as list'), {
    n: 9007199254740991,
    list: [1, 2],
  })
  await rejects(db.read().one('select 9007199254740993::int8 as n'), /does not fit/)
})

test('a database that cannot be reached is a refusal that says when to come back', async () => {
  const nowhere = open('live', { host: '/nowhere', user: 'x', database: 'x' })
  await rejects(nowhere.read().all('select 1'), { code: 'storage_unavailable', details: { retry_after: 2 } })
  await rejects(
    nowhere.transaction((tx) => tx.all('select 1')),
    { code: 'storage_unavailable' },
  )
  await nowhere.close()
})

test('a database that stops replying without closing connections is refused, and recovers', async () => {
  const proxy = await openDatabaseProxy(connection)
  const far = open('test', proxy.connection)
  const one = () => far.read().one<{ n: number }>('select 1::int8 as n')
  equal((await one()).n, 1)
  proxy.block()
  const refused = { code: 'storage_unavailable' }
  await Promise.all([
    rejects(one(), refused),
    rejects(
      far.transaction((tx) => tx.all(insert('unheard'))),
      refused,
    ),
  ])
  proxy.unblock()
  equal((await one()).n, 1)
  await far.close()
  proxy.close()
})

test('a slow statement does not count as a lost connection', async () => {
  deepEqual(await db.read().all(`select pg_sleep(3)::text || 'done' as slow`), [{ slow: 'done' }])
})

test('a busy process does not count the database as lost', async () => {
  const slow = db.read().all(`select pg_sleep(6)::text || 'done' as slow`)
  let isOver = false
  const ended = slow.finally(() => (isOver = true))
  while (!isOver) {
    const until = performance.now() + 1_900
    while (performance.now() < until);
    await new Promise((done) => setImmediate(done))
  }
  deepEqual(await ended, [{ slow: 'done' }])
})

test('a statement is slow when the database took long, not when its reply waited for a busy process', async () => {
  const slow: string[] = []
  const slowQueries = { fromMs: 200, report: (sql: string) => void slow.push(sql) }
  const recording = new Database({
    connection,
    environment: 'test',
    clock: systemClock(),
    poolSize: 2,
    slowQueries,
  })
  await recording.read().all('select 1')
  const fast = recording.read().all('select 2')
  await new Promise((done) => setImmediate(done))
  const until = performance.now() + 400
  while (performance.now() < until);
  await fast
  await recording.read().all('select pg_sleep(0.4)::text')
  await recording.close()
  deepEqual(slow, ['select pg_sleep(0.4)::text'])
})

test('a connection that the server ends is replaced', async () => {
  await db
    .read()
    .all(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
  await new Promise((done) => setTimeout(done, 50))
  equal((await db.read().one<{ n: number }>('select 1::int8 as n')).n, 1)
})
