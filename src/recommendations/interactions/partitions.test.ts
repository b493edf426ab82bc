import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { jobContext } from '../../../test/support/job-context.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { dayMs } from '../../base/clock.ts'
import type { Database, Reader } from '../../base/database.ts'
import { linkGuests } from './aliases.ts'
import { loadHistory } from './history.ts'
import { maintainInteractions, createPartitions, monthOf } from './jobs.ts'
import { interactionRecords } from './records.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const now = db.clock.now()
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()

const ahead = (minutes: number) => new Date(db.clock.now().getTime() + minutes * 60_000).toISOString()

const send = (...interactions: object[]) =>
  shop.call('POST', '/v1/interactions', {
    body: { interactions: interactions.map((it) => ({ offer_id: '1', kind: 'view', ...it })) },
  })
const report = async (...interactions: object[]) => {
  const reply = await send(...interactions)
  equal(reply.status, 200, reply.text)
}
const interactionsOf = async (name: string) => (await loadHistory(db.read(), [name]))!.interactions
const roomsOf = async (of: Database, table: string) =>
  (
    await of
      .read()
      .all<{ name: string }>(
        `select relname as name from pg_class where relname ~ $1 and relnamespace = 'test'::regnamespace and relkind = 'r' order by 1`,
        [`^${table}_\\d{4}`],
      )
  ).map((it) => it.name.slice(-7).replace('_', '-'))
const keep = () => maintainInteractions.run(jobContext(db))

test('a running shop has partitions for this month and the next two', async () => {
  for (const table of ['recommendations_interactions', 'recommendations_lists'])
    await waitUntil(async () => {
      const rooms = await roomsOf(db, table)
      return [0, 1, 2].every((later) => rooms.includes(monthOf(now, later)))
    })
})

test('rows of the default partition are moved to their new month, and none is lost meanwhile', async () => {
  const past = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15)).getTime()
  const interaction = (at: number) => ({
    user_id: `mover-${at % 7}`,
    at: new Date(past + at * 1_000).toISOString(),
  })
  const before = Array.from({ length: 300 }, (_, at) => interaction(at))
  await report(...before)
  const meanwhile = Array.from({ length: 60 }, (_, at) => report(interaction(1_000 + at)))
  await db.transaction((tx) => createPartitions(tx, 2))
  await Promise.all(meanwhile)
  const counts = await db.read().one(
    `select (select count(*) from recommendations_interactions where offer = '1' and original_buyer like 'mover-%') as all,
       (select count(*) from recommendations_interactions_default where original_buyer like 'mover-%') as strays`,
  )
  deepEqual(counts, { all: 360, strays: 0 })
})

test('several processes that create partitions at once create each once', async () => {
  await Promise.all(Array.from({ length: 4 }, () => db.transaction((tx) => createPartitions(tx, 4))))
  const rooms = await roomsOf(db, 'recommendations_interactions')
  equal(new Set(rooms).size, rooms.length)
  ok(rooms.includes(monthOf(now, -4)))
})

test('a late interaction is stored at its time, one from the future at the current time, and a malformed time is refused', async () => {
  await report({ user_id: 'late', offer_id: '3', at: daysAgo(1) })
  await report({ user_id: 'late', offer_id: '2', at: daysAgo(100) })
  await report({ user_id: 'late', offer_id: '4', at: ahead(60) })
  const refused = await send(
    { user_id: 'late', offer_id: '5', at: daysAgo(1) },
    { user_id: 'late', offer_id: '5', at: '2026-02-31T00:00:00Z' },
  )
  deepEqual(
    assertRefused('validation_failed', refused).fields.map((it: { path: string; rule: string }) => [
      it.path,
      it.rule,
    ]),
    [['interactions.1.at', 'format']],
  )
  const interactions = await interactionsOf('late')
  deepEqual(
    interactions.map((it) => it.offer),
    ['4', '3', '2'],
  )
  ok(interactions[0]!.atMs <= db.clock.now().getTime())
})

test('an import line with a future time is refused alone', async () => {
  const line = (at: string) => ({ user_id: 'imported', offer_id: '1', kind: 'view', at })
  const refused = await db.transaction((tx) =>
    interactionRecords.load(tx, [
      line(ahead(6)),
      line(daysAgo(2)),
      line('never'),
      line('2026-02-31T00:00:00Z'),
    ]),
  )
  deepEqual(
    refused.map((it) => [it.at, it.faults[0]!.rule, typeof it.faults[0]!.limit]),
    [
      [0, 'past', 'string'],
      [2, 'format', 'string'],
      [3, 'format', 'string'],
    ],
  )
  equal((await interactionsOf('imported')).length, 1)
})

test('old months, rows outside of them, sessions and carts are purged; the rest stays', async () => {
  const old = monthOf(now, -15)
  await report(
    { user_id: 'old', at: '2019-05-05T00:00:00.000Z' },
    { user_id: 'old', at: `${old}-10T00:00:00.000Z` },
    { user_id: 'old', at: daysAgo(5) },
  )
  await db.transaction((tx) => createPartitions(tx, 15))
  await db.transaction(async (tx) => {
    await linkGuests(tx, [{ identifier: 'old-session', clientId: 71 }])
    await tx.all(`update recommendations_aliases set at = $1 where buyer = '71'`, [daysAgo(500)])
    await linkGuests(tx, [{ identifier: 'young-session', clientId: 71 }])
    await tx.all(
      `insert into recommendations_carts (cart_id, buyer, at) values (gen_random_uuid(), '71', $1)`,
      [daysAgo(500)],
    )
  })
  ok((await roomsOf(db, 'recommendations_interactions')).includes(old))
  await keep()
  ok(!(await roomsOf(db, 'recommendations_interactions')).includes(old))
  equal((await roomsOf(db, 'recommendations_lists')).includes(monthOf(now, -6)), false)
  const { interactions, names, carts } = await db
    .read()
    .one<{ interactions: number; names: number; carts: number }>(
      `select (select count(*) from recommendations_interactions where original_buyer = 'old') as interactions,
       (select count(*) from recommendations_aliases where buyer = '71') as names,
       (select count(*) from recommendations_carts) as carts`,
    )
  deepEqual([interactions, names, carts], [1, 1, 0])
  await keep()
})

test('a starting server loads recent interactions before the first request', async () => {
  const names = ['early-1', 'early-2']
  await report(...names.map((user_id) => ({ user_id, at: daysAgo(0) })))
  const other = await openPlatform({ connection: shop.connection })
  const inMemory = (): Reader => ({
    ...other.app.shops.test.db.read(),
    all: () => Promise.reject(new Error('it asks the database')),
  })
  for (const name of names)
    await waitUntil(() =>
      loadHistory(inMemory(), [name]).then(
        (it) => it!.interactions.length === 1,
        () => false,
      ),
    )
})
