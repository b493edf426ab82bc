import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { buyerKeyOf, linkGuests } from './aliases.ts'
import { loadHistory } from './history.ts'
import { monthOf } from './jobs.ts'
import { interactionRecords } from './records.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test

const report = (interactions: object[]) => shop.call('POST', '/v1/interactions', { body: { interactions } })
const offersOf = async (...names: string[]) =>
  ((await loadHistory(db.read(), names))?.interactions ?? []).map((it) => it.offer)

test('a reported interaction is in the history at once, the latest first', async () => {
  await report([
    { user_id: 'a', offer_id: '1', kind: 'view', at: '2026-10-01T09:00:00.000Z' },
    { user_id: 'a', offer_id: '2', kind: 'cart', at: '2026-10-02T09:00:00.000Z' },
  ])
  deepEqual(await offersOf('a'), ['2', '1'])
  await report([{ user_id: 'a', offer_id: '3', kind: 'view', at: '2026-10-03T09:00:00.000Z' }])
  deepEqual(await offersOf('a'), ['3', '2', '1'])
})

test('an interaction that is reported twice is stored once', async () => {
  const interaction = { user_id: 'b', offer_id: '1', kind: 'view', at: '2026-10-01T09:00:00.000Z' }
  deepEqual((await report([interaction, interaction])).body.data, { accepted: 2, new: 1 })
  deepEqual((await report([interaction])).body.data, { accepted: 1, new: 0 })
})

test('of several names, the first with a history counts', async () => {
  await report([{ user_id: 'known', offer_id: '9', kind: 'view' }])
  deepEqual(await offersOf('nobody', 'known', 'a'), ['9'])
  deepEqual(await offersOf('nobody'), [])
  deepEqual(await offersOf(), [])
})

test('the history of a guest who becomes a client is kept', async () => {
  await report([
    { user_id: 'guest-7', offer_id: '10', kind: 'view', at: '2026-10-01T09:00:00.000Z' },
    { user_id: '77', offer_id: '11', kind: 'view', at: '2026-10-02T09:00:00.000Z' },
  ])
  await db.transaction((tx) => linkGuests(tx, [{ identifier: 'guest-7', clientId: 77 }]))
  deepEqual(await offersOf('77'), ['11', '10'])
  deepEqual(await offersOf('guest-7'), ['11', '10'])
})

test('the last 200 interactions under all aliases are in the order of microseconds, offers and aliases', async () => {
  const at = (micros: number) => `2026-10-01T09:00:00.${String(micros).padStart(6, '0')}Z`
  const rows = Array.from({ length: 130 }, (_, n) => [
    { buyer: '78', at: at(1_000 + (n >> 1)), offer: `a${n % 7}`, kind: n % 3 ? 'view' : 'cart' },
    { buyer: buyerKeyOf('guest-8'), at: at(1_000 + (n >> 1)), offer: `a${n % 5}`, kind: 'view' },
  ]).flat()
  await db.transaction((tx) =>
    tx.all(
      `insert into recommendations_interactions (buyer, at, offer, kind)
       select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) on conflict do nothing`,
      (['buyer', 'at', 'offer', 'kind'] as const).map((column) => rows.map((it) => it[column])),
    ),
  )
  await db.transaction((tx) => linkGuests(tx, [{ identifier: 'guest-8', clientId: 78 }]))
  const expected = await db.read().all<{ offer: string; kind: string; at: Date }>(
    `select offer, kind, at from recommendations_interactions where buyer = any($1)
     order by at desc, offer, kind, buyer limit 200`,
    [['78', buyerKeyOf('guest-8')]],
  )
  const { interactions } = (await loadHistory(db.read(), ['78']))!
  deepEqual(
    interactions.map(({ offer, kind, atMs }) => [offer, kind, atMs]),
    expected.map(({ offer, kind, at }) => [offer, kind, at.getTime()]),
  )
})

test('an offer of several words and lines is in the history as one', async () => {
  const now = '2026-10-01T09:00:00.000Z'
  await report([
    { user_id: 'c', offer_id: '1 view 2', kind: 'view', at: now },
    { user_id: 'c', offer_id: '12\n', kind: 'view', at: now },
    { user_id: 'c', offer_id: 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', kind: 'view', at: now },
  ])
  deepEqual((await offersOf('c')).toSorted(), ['1 view 2', '12 ', 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'])
})

test('an unknown kind, an invalid time and more than a thousand interactions are refused', async () => {
  assertRefused('validation_failed', await report([{ user_id: 'a', offer_id: '1', kind: 'stare' }]))
  assertRefused(
    'validation_failed',
    await report([{ user_id: 'a', offer_id: '1', kind: 'view', at: 'yesterday' }]),
  )
  const many = Array.from({ length: 1_001 }, () => ({ user_id: 'a', offer_id: '1', kind: 'view' }))
  assertRefused('validation_failed', await report(many))
})

test('interaction records are exported as they were imported', async () => {
  const records = [{ user_id: 'r', offer_id: '5', kind: 'view', at: '2020-01-01T00:00:00.000Z' }]
  deepEqual(await db.transaction((tx) => interactionRecords.load(tx, records)), [])
  const { records: out } = await interactionRecords.page(db.read(), null, 1)
  deepEqual(out, records)
})

test('months continue over the end of a year', () => {
  deepEqual(
    [-1, 0, 1, 2].map((later) => monthOf(new Date('2026-11-30T23:00:00Z'), later)),
    ['2026-10', '2026-11', '2026-12', '2027-01'],
  )
})
