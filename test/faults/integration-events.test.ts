// E1 to E7 and S8: what outside producers tell the shop, in any order and any number of times.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openCarts, times } from '../support/carts.ts'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { until } from '../support/until.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const carts = openCarts(shop)
const { put, view, unitsOf, newClient } = carts
const { call, makeKey } = shop
const { db, relay } = shop.app.shops.test
let last = 0

const later = (seconds: number) => new Date(Date.UTC(2026, 10, 1) + seconds * 1000).toISOString()
const tell = async (type: string, data: unknown, more: Record<string, unknown> = {}) => {
  const event = {
    specversion: '1.0',
    id: `event-${++last}`,
    source: '/erp',
    type,
    time: later(last),
    data,
    ...more,
  }
  const reply = await call('POST', '/v1/integration-events', { body: event })
  equal(reply.status, 200, reply.text)
  await relay.settle()
  return reply.body.data.event.status as string
}
const offerOf = async (id: number) => (await call('GET', `/v1/catalog/offers/${id}`)).body.data.offer

test('an event is taken once by its source and id', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const once = { id: 'the-same' }
  equal(await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 5 }, once), 'accepted')
  await call('PATCH', `/v1/catalog/offers/${offer}`, { body: { quantity: 8 } })
  equal(await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 5 }, once), 'repeated')
  equal((await offerOf(offer)).quantity, 8)
  equal(
    await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 4 }, { ...once, source: '/other' }),
    'accepted',
  )
  equal((await offerOf(offer)).quantity, 4)
})

test('an older word changes nothing: sequences decide, else instants', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const quantity = (NewQuantity: number, more: object) =>
    tell('OfferQuantityChanged', { OfferId: offer, NewQuantity }, { ...more })
  await quantity(5, { sequence: 7, time: later(100) })
  await quantity(9, { sequence: 6, time: later(200) })
  equal((await offerOf(offer)).quantity, 5)
  await quantity(3, { sequence: 8, time: later(50) })
  equal((await offerOf(offer)).quantity, 3)
  await quantity(2, { time: later(49) })
  equal((await offerOf(offer)).quantity, 3)
  await quantity(1, { time: later(51) })
  equal((await offerOf(offer)).quantity, 1)
})

test('the end and the beginning of a sale, told in the wrong order, leave the last word', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 700 })
  await put(buyer, offer, 2)
  await tell('OfferDeactivated', { OfferId: offer, Reason: 'sold out' }, { sequence: 2 })
  await tell('OfferActivated', { OfferId: offer, ActivatedAt: later(1) }, { sequence: 1 })
  const gone = await view(buyer)
  deepEqual([gone.Items[0].PurchaseRestrictions.IsAvailable, gone.TotalAmount], [false, 0])
  await tell('OfferActivated', { OfferId: offer, ActivatedAt: later(9) }, { sequence: 3 })
  deepEqual((await view(buyer)).TotalAmount, 1_400)
})

test('a new price is shown beside the one at which the line was added, whatever the old one is said to be', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 700 })
  await put(buyer, offer)
  await tell('OfferPriceChanged', { OfferId: offer, OldPrice: 123, NewPrice: 650.5 })
  const [item] = (await view(buyer)).Items
  deepEqual([item.Price, item.PriceAtAdd], [650.5, 700])
  equal(item.PurchaseRestrictions.Messages[0].Code, 'price_changed')
  await tell('OfferPriceChanged', { OfferId: offer, OldPrice: 650.5, NewPrice: 600 })
  const disagreed = await db
    .read()
    .all(`select fields from outbox_events where type = 'OutsidePriceDisagreed' and subject = $1`, [
      `offer/${offer}`,
    ])
  deepEqual(disagreed, [{ fields: { offerId: offer, theirPrice: 123, ourPrice: 700 } }])
})

test('a lower stock flags the line and trims nothing', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ quantity: 9 })
  await put(buyer, offer, 6)
  await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 4 })
  const [item] = (await view(buyer)).Items
  equal(item.Quantity, 6)
  deepEqual([item.PurchaseRestrictions.AvailableQuantity, item.PurchaseRestrictions.MaxQuantity], [4, 4])
  equal(item.PurchaseRestrictions.Messages[0].Code, 'stock_lowered')
})

test('orders from outside take their offers out of the cart, except what was added since, and again do no harm', async () => {
  const buyer = newClient()
  const [old, fresh, other] = [await stock.offer(), await stock.offer(), await stock.offer()]
  await put(buyer, old)
  await put(buyer, other)
  const time = db.clock.now().toISOString()
  await until(() => db.clock.now().toISOString() > time)
  await put(buyer, fresh)
  const orders = { OrderIds: [1], ClientId: buyer.ClientId, ProcessedOfferIds: [old, fresh, 999_999] }
  await tell('OrdersCreated', orders, { time })
  deepEqual(await unitsOf(buyer), { [other]: 1, [fresh]: 1 })
  const { Version } = await view(buyer)
  await tell('OrdersCreated', orders, { time })
  equal((await view(buyer)).Version, Version)
})

test('what cannot be understood becomes a dead letter after five tries, and nothing waits for it', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const poison: [string, unknown][] = [
    ['OfferQuantityChanged', { OfferId: offer, NewQuantity: -1 }],
    ['OfferQuantityChanged', { OfferId: offer, NewQuantity: 1.5 }],
    ['OfferQuantityChanged', { OfferId: offer, NewQuantity: 1e18 }],
    ['OfferQuantityChanged', { OfferId: String(offer), NewQuantity: 1 }],
    ['OfferPriceChanged', { OfferId: offer, OldPrice: 1, NewPrice: 0 }],
    ['OfferPriceChanged', { OfferId: offer, OldPrice: 1, NewPrice: 1e15 }],
    ['OrdersCreated', { OrderIds: [1], ClientId: 1, ProcessedOfferIds: times(2_000, (at) => at + 1) }],
    ['OfferDeleted', { OfferId: offer }],
    ['__proto__', {}],
    ['OfferActivated', null],
    ['OfferActivated', { OfferId: 987_654, ActivatedAt: later(1) }],
  ]
  for (const [type, data] of poison) await tell(type, data)
  await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 7 })
  equal((await offerOf(offer)).quantity, 7)
  equal((await offerOf(offer)).price.amount, 1_000_000)
  const letters = async () => (await call('GET', '/v1/admin/dead-letters')).body.data.dead_letters
  await until(async () => {
    await call('POST', '/v1/test/clock', { body: { advance: 'PT6M' } })
    return (await letters()).length === poison.length
  })
  for (const it of await letters()) {
    equal(it.reaction, 'cart.hear-outside')
    equal(it.attempts, 5)
  }
})

test('only an envelope comes in, and only from those who may', async () => {
  const body = {
    specversion: '1.0',
    id: 'x',
    source: '/erp',
    type: 'OfferActivated',
    time: later(1),
    data: {},
  }
  for (const key of [await makeKey({ scopes: ['admin:read', 'cart:write', 'catalog:write'] })])
    refusedWith('insufficient_permissions', await call('POST', '/v1/integration-events', { key, body }))
  refusedWith('unauthorized', await call('POST', '/v1/integration-events', { key: null, body }))
  for (const wrong of [
    { ...body, specversion: '0.3' },
    { ...body, id: '' },
    { ...body, time: 'yesterday' },
    { ...body, time: '2026-02-31T00:00:00Z' },
    { ...body, extra: 1 },
    { ...body, source: undefined },
  ])
    refusedWith('validation_failed', await call('POST', '/v1/integration-events', { body: wrong }))
  const ids = times(50_000, (at) => at + 1)
  ok(
    [413, 422].includes(
      (await call('POST', '/v1/integration-events', { body: { ...body, data: { ids } } })).status,
    ),
  )
})
