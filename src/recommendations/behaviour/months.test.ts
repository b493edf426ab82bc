import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'
import { until } from '../../../test/support/until.ts'
import type { Database, Reader } from '../../base/db.ts'
import { historyOf } from './history.ts'
import { keepBehaviour, makeRoom, monthOf } from './jobs.ts'
import { recogniseGuests } from './link-names.ts'
import { interactionRecords } from './records.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const now = db.clock.now()
const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()

const report = async (...interactions: object[]) => {
  const reply = await shop.call('POST', '/v1/interactions', {
    body: { interactions: interactions.map((it) => ({ offer_id: '1', kind: 'view', ...it })) },
  })
  equal(reply.status, 200, reply.text)
}
const deedsOf = async (name: string) => (await historyOf(db.read(), [name]))!.deeds
const roomsOf = async (of: Database, table: string) =>
  (
    await of
      .read()
      .all<{ name: string }>(
        `select relname as name from pg_class where relname ~ $1 and relnamespace = 'test'::regnamespace and relkind = 'r' order by 1`,
        [`^${table}_\\d{4}`],
      )
  ).map((it) => it.name.slice(-7).replace('_', '-'))
const keep = () => keepBehaviour.run({ transaction: (batch) => db.transaction(batch) })

test('a running shop has room for this month and the next two', async () => {
  for (const table of ['recommendations_interactions', 'recommendations_lists'])
    await until(async () => {
      const rooms = await roomsOf(db, table)
      return [0, 1, 2].every((later) => rooms.includes(monthOf(now, later)))
    })
})

test('what came before its month had room is moved there, and nothing is lost while that is done', async () => {
  const past = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15)).getTime()
  const deed = (at: number) => ({ user_id: `mover-${at % 7}`, at: new Date(past + at * 1_000).toISOString() })
  const before = Array.from({ length: 300 }, (_, at) => deed(at))
  await report(...before)
  const meanwhile = Array.from({ length: 60 }, (_, at) => report(deed(1_000 + at)))
  await db.transaction((tx) => makeRoom(tx, 2))
  await Promise.all(meanwhile)
  const counts = await db.read().one(
    `select (select count(*) from recommendations_interactions where offer = '1' and spelled like 'mover-%') as all,
       (select count(*) from recommendations_interactions_rest where spelled like 'mover-%') as strays`,
  )
  deepEqual(counts, { all: 360, strays: 0 })
})

test('several processes that make room at once make it once', async () => {
  await Promise.all(Array.from({ length: 4 }, () => db.transaction((tx) => makeRoom(tx, 4))))
  const rooms = await roomsOf(db, 'recommendations_interactions')
  equal(new Set(rooms).size, rooms.length)
  ok(rooms.includes(monthOf(now, -4)))
})

test('a deed that comes late takes its place in time, and one from the future was done now', async () => {
  await report({ user_id: 'late', offer_id: '3', at: daysAgo(1) })
  await report({ user_id: 'late', offer_id: '2', at: daysAgo(100) })
  await report({ user_id: 'late', offer_id: '4', at: daysAgo(-400) })
  const deeds = await deedsOf('late')
  deepEqual(
    deeds.map((it) => it.offer),
    ['4', '3', '2'],
  )
  ok(deeds[0]!.at <= db.clock.now())
})

test('a line of an import that lies in the future is refused by itself', async () => {
  const line = (at: string) => ({ user_id: 'imported', offer_id: '1', kind: 'view', at })
  const refused = await db.transaction((tx) =>
    interactionRecords.load(tx, [line(daysAgo(-1)), line(daysAgo(2)), line('never')]),
  )
  deepEqual(
    refused.map((it) => [it.at, it.faults[0]!.rule, typeof it.faults[0]!.limit]),
    [
      [0, 'past', 'string'],
      [2, 'format', 'string'],
    ],
  )
  equal((await deedsOf('imported')).length, 1)
})

test('what is too old goes: whole months, what stood beside them, sessions and carts; the rest stays', async () => {
  const old = monthOf(now, -15)
  await report(
    { user_id: 'old', at: '2019-05-05T00:00:00.000Z' },
    { user_id: 'old', at: `${old}-10T00:00:00.000Z` },
    { user_id: 'old', at: daysAgo(5) },
  )
  await db.transaction((tx) => makeRoom(tx, 15))
  await db.transaction(async (tx) => {
    await recogniseGuests(tx, [{ name: 'old-session', clientId: 71 }])
    await tx.all(`update recommendations_names set at = $1 where buyer = '71'`, [daysAgo(500)])
    await recogniseGuests(tx, [{ name: 'young-session', clientId: 71 }])
    await tx.all(
      `insert into recommendations_carts (cart_id, buyer, at) values (gen_random_uuid(), '71', $1)`,
      [daysAgo(500)],
    )
  })
  ok((await roomsOf(db, 'recommendations_interactions')).includes(old))
  await keep()
  ok(!(await roomsOf(db, 'recommendations_interactions')).includes(old))
  equal((await roomsOf(db, 'recommendations_lists')).includes(monthOf(now, -6)), false)
  const { deeds, names, carts } = await db.read().one<{ deeds: number; names: number; carts: number }>(
    `select (select count(*) from recommendations_interactions where spelled = 'old') as deeds,
       (select count(*) from recommendations_names where buyer = '71') as names,
       (select count(*) from recommendations_carts) as carts`,
  )
  deepEqual([deeds, names, carts], [1, 1, 0])
  await keep()
})

test('a server that starts has read what was done lately before anybody asks', async () => {
  const names = ['early-1', 'early-2']
  await report(...names.map((user_id) => ({ user_id, at: daysAgo(0) })))
  const other = await openPlatform({ connection: shop.connection })
  const inMemory = (): Reader => ({
    ...other.app.shops.test.db.read(),
    all: () => Promise.reject(new Error('it asks the database')),
  })
  for (const name of names)
    await until(() =>
      historyOf(inMemory(), [name]).then(
        (it) => it!.deeds.length === 1,
        () => false,
      ),
    )
})
