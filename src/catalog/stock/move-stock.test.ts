import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { moveStock } from './move-stock.ts'
import { recordKinds } from '../entities/record-kinds.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const ids = Array.from({ length: 10 }, (_, at) => at + 1)

await db.transaction(async (tx) => {
  const load = (name: string, records: object[]) =>
    recordKinds.find((it) => it.name === name)!.load(tx, records)
  await load('category', [{ id: 1, slug: 'all', name: { ru: 'Всё' } }])
  await load('partner', [{ id: 1, slug: 'p', name: 'P' }])
  await load('product', [{ id: 1, category_id: 1, slug: 'thing', name: { ru: 'Вещь' } }])
  const offer = (id: number) => ({ id, product_id: 1, partner_id: 1, price_tiyin: 100, quantity: 100 })
  await load('offer', ids.map(offer))
})

const take = (offerIds: number[], units: number) =>
  db.transaction((tx) =>
    moveStock(
      tx,
      offerIds.map((offerId) => ({ kind: 'offer', offerId, change: -units })),
      { cause: 'ordered', reference: 'order/1' },
    ),
  )

const onHand = async (id: number): Promise<number> =>
  (await shop.call('GET', `/v1/catalog/offers/${id}`)).body.data.offer.quantity

test('a hundred parallel stock moves in any order neither deadlock nor oversell', async () => {
  const before = await onHand(1)
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, at) => take(at % 2 ? [1, 2, 3] : [3, 2, 1], 2)),
  )
  const served = outcomes.filter((it) => it.length === 0).length
  equal(served, 50)
  deepEqual(await Promise.all([1, 2, 3].map(onHand)), [before - 100, 0, 0])
})

test('when one offer has too few units, none is moved and the shortage is returned', async () => {
  deepEqual(await take([4, 1], 3), [{ kind: 'offer', offerId: 1, requested: 3, available: 0 }])
  equal(await onHand(4), 100)
})

test('an unknown offer has no units', async () => {
  deepEqual(await take([999], 1), [{ kind: 'offer', offerId: 999, requested: 1, available: 0 }])
})

test('stock movements always add up to the units on hand', async () => {
  await shop.call('PATCH', '/v1/catalog/offers/5', { body: { quantity: 40 } })
  await take([5], 36)
  const reply = await shop.call('POST', '/v1/catalog/offers/5/stock-adjustments', {
    body: { change: 3, reason: 'counted again' },
  })
  equal(reply.body.data.on_hand, 7)
  const { movements } = (await shop.call('GET', '/v1/catalog/offers/5/stock-movements?sort=id')).body.data
  deepEqual(
    movements.map((it: { change: number; cause: string }) => [it.change, it.cause]),
    [
      [100, 'stocked'],
      [-60, 'adjusted'],
      [-36, 'ordered'],
      [3, 'adjusted'],
    ],
  )
  deepEqual(Object.keys(movements[0]), ['id', 'change', 'on_hand', 'cause', 'reference', 'at'])
  const sums = await db.read().all(
    `select offer.id from catalog_offers offer
     where quantity <> (select coalesce(sum(change), 0) from catalog_stock_movements where offer_kind = 'offer' and offer_id = offer.id)`,
  )
  deepEqual(sums, [])
})

test('an adjustment below zero is refused with the available units', async () => {
  const reply = await shop.call('POST', '/v1/catalog/offers/6/stock-adjustments', {
    body: { change: -101, reason: 'lost' },
  })
  const { violations } = assertRefused('stock_exceeded', reply)
  deepEqual(violations[0].available, 100)
})

test('low stock is published once, when the limit is passed', async () => {
  for (const units of [94, 1, 1, 1]) await take([7], units)
  const events = await db
    .read()
    .all<{ type: string }>(`select type from outbox_events where subject = 'offer/7' order by sequence`)
  deepEqual(
    events.map((it) => it.type),
    ['OfferCreated', ...'....']
      .map((it) => (it === '.' ? 'OfferQuantityChanged' : it))
      .toSpliced(3, 0, 'OfferStockLow'),
  )
})

test('stock movements come in the order that the reference names as default', async () => {
  await shop.call('PATCH', '/v1/catalog/offers/6', { body: { quantity: 40 } })
  const path = '/v1/catalog/offers/6/stock-movements'
  const route = shop.app.routes.find((it) => it.path === '/v1/catalog/offers/{offer_id}/stock-movements')!
  const [, order] = /default `(-?\w+)`/.exec(JSON.stringify(route.declared.query))!
  const listed = async (query: string) => (await shop.call('GET', `${path}${query}`)).body.data.movements
  equal((await listed('')).length, 2)
  deepEqual(await listed(''), await listed(`?sort=${order}`))
})
