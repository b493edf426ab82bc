import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { muteWay } from '../../test/support/mute-way.ts'
import { freshDatabase } from '../../test/support/database.ts'
import { systemClock } from './clock.ts'
import { Database } from './db.ts'
import { publish } from './outbox.ts'
import { refuse } from './refusal.ts'

const connection = await freshDatabase()
const open = (environment: 'live' | 'test', to = connection) =>
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

test('a rehearsal does everything and leaves nothing, not even a fact', async () => {
  const heard: unknown[] = []
  db.onTold = (events) => heard.push(...events)
  const seen = await db.rehearse(async (tx) => {
    await tx.all(insert('rehearsed'))
    await publish(tx, { type: 'BrandDeleted', brandId: 1 })
    return tx.all('select 1 from catalog_brands where slug = $1', ['rehearsed'])
  })
  db.onTold = () => {}
  deepEqual([seen.length, await countOf('rehearsed'), heard.length], [1, 0, 0])
})

test('an attempt that fails undoes its own writes and facts, and the rest goes on', async () => {
  const told = await db.transaction(async (tx) => {
    await tx.all(insert('before-attempt'))
    await tx
      .attempt(async () => {
        await tx.all(insert('in-attempt'))
        await publish(tx, { type: 'BrandDeleted', brandId: 1 })
        throw new Error('no')
      })
      .catch(() => {})
    await tx.all(insert('after-attempt'))
    return tx.told.length
  })
  deepEqual(
    [await countOf('before-attempt'), await countOf('in-attempt'), await countOf('after-attempt'), told],
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
  const touch = (first: string, second: string) =>
    db.transaction(async (tx) => {
      for (const slug of [first, second]) {
        await tx.all('update catalog_brands set version = version + 1 where slug = $1', [slug])
        await new Promise((done) => setTimeout(done, 30))
      }
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

test('a database that falls silent without hanging up is a refusal, and heals by itself', async () => {
  const way = await muteWay(connection)
  const far = open('test', way.connection)
  const one = () => far.read().one<{ n: number }>('select 1::int8 as n')
  equal((await one()).n, 1)
  way.mute()
  const refused = { code: 'storage_unavailable' }
  await Promise.all([
    rejects(one(), refused),
    rejects(
      far.transaction((tx) => tx.all(insert('unheard'))),
      refused,
    ),
  ])
  way.speak()
  equal((await one()).n, 1)
  await far.close()
  way.close()
})

test('a slow statement is not taken for silence', async () => {
  await db.read().all('select pg_sleep(3)')
})

test('a process that was busy itself does not take the database for silent', async () => {
  const slow = db.read().all('select pg_sleep(6)')
  let isOver = false
  const ended = slow.finally(() => (isOver = true))
  while (!isOver) {
    const until = performance.now() + 1_900
    while (performance.now() < until);
    await new Promise((done) => setImmediate(done))
  }
  await ended
})

test('a connection that the server ends is replaced by itself', async () => {
  await db
    .read()
    .all(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
  await new Promise((done) => setTimeout(done, 50))
  equal((await db.read().one<{ n: number }>('select 1::int8 as n')).n, 1)
})
