// E1 to E7 and S8: events of external producers, in any order and repeated.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { receiveMessage } from '../../src/webhooks/bus/receive-message.ts'
import { openCarts, times } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { waitUntil } from '../support/wait-until.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const carts = openCarts(shop)
const { put, view, unitsOf, newClient } = carts
const { call, makeKey } = shop
const { db, relay } = shop.app.shops.test
let last = 0

const later = (seconds: number) => new Date(Date.UTC(2026, 10, 1) + seconds * 1000).toISOString()
const now = () => db.clock.now().toISOString()
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
  await relay.catchUp()
  return reply.body.data.event.status as string
}
const offerOf = async (id: number) => (await call('GET', `/v1/catalog/offers/${id}`)).body.data.offer

test('an event is accepted once per source and id', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const once = { id: 'the-same' }
  equal(await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 5 }, once), 'accepted')
  await call('PATCH', `/v1/catalog/offers/${offer}`, { body: { quantity: 8 } })
  equal(await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 5 }, once), 'repeated')
  equal((await offerOf(offer)).quantity, 8)
  equal(
    await tell(
      'OfferQuantityChanged',
      { OfferId: offer, NewQuantity: 4 },
      { ...once, source: '/other', time: now() },
    ),
    'accepted',
  )
  equal((await offerOf(offer)).quantity, 4)
})

test('an older event changes nothing; sequences decide, otherwise instants', async () => {
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

test('two events of one offer in the same second are both applied, in the order of their arrival', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const time = later(1_000)
  await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 5 }, { time })
  await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 4 }, { time })
  equal((await offerOf(offer)).quantity, 4)
  await tell('OfferDeactivated', { OfferId: offer, Reason: 'stocktaking' }, { time })
  await tell('OfferActivated', { OfferId: offer, ActivatedAt: time }, { time })
  equal((await offerOf(offer)).is_active, true)
  await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 9 }, { time: later(999) })
  equal((await offerOf(offer)).quantity, 4)
})

test('deactivation and activation in the wrong order leave the later state', async () => {
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

test('a new price is shown beside the price at add, whatever old price the event has', async () => {
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
    .all(`select fields from outbox_events where type = 'ExternalPriceMismatched' and subject = $1`, [
      `offer/${offer}`,
    ])
  deepEqual(disagreed, [{ fields: { offerId: offer, theirPrice: 123, ourPrice: 700 } }])
})

test('a lower stock flags the line and keeps its quantity', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ quantity: 9 })
  await put(buyer, offer, 6)
  await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 4 })
  const [item] = (await view(buyer)).Items
  equal(item.Quantity, 6)
  deepEqual([item.PurchaseRestrictions.AvailableQuantity, item.PurchaseRestrictions.MaxQuantity], [4, 4])
  equal(item.PurchaseRestrictions.Messages[0].Code, 'stock_lowered')
})

test('external orders remove their offers from the cart once, except units added since', async () => {
  const buyer = newClient()
  const [old, fresh, other] = [await stock.offer(), await stock.offer(), await stock.offer()]
  await put(buyer, old)
  await put(buyer, other)
  const time = db.clock.now().toISOString()
  await waitUntil(() => db.clock.now().toISOString() > time)
  await put(buyer, fresh)
  const orders = { OrderIds: [1], ClientId: buyer.ClientId, ProcessedOfferIds: [old, fresh, 999_999] }
  await tell('OrdersCreated', orders, { time })
  deepEqual(await unitsOf(buyer), { [other]: 1, [fresh]: 1 })
  const { Version } = await view(buyer)
  await tell('OrdersCreated', orders, { time })
  equal((await view(buyer)).Version, Version)
})

test('units by which a quantity was raised after an external order stay in the cart', async () => {
  const buyer = newClient()
  const [raised, lowered, both] = [await stock.offer(), await stock.offer(), await stock.offer()]
  await put(buyer, raised)
  await put(buyer, lowered, 5)
  await put(buyer, both, 2)
  const time = now()
  await waitUntil(() => now() > time)
  await carts.setQuantity(buyer, raised, 3)
  await carts.setQuantity(buyer, lowered, 4)
  await carts.setQuantity(buyer, both, 3)
  await put(buyer, both, 1)
  const orders = { OrderIds: [1], ClientId: buyer.ClientId, ProcessedOfferIds: [raised, lowered, both] }
  await tell('OrdersCreated', orders, { time })
  deepEqual(await unitsOf(buyer), { [raised]: 2, [both]: 2 })
  await tell('OrdersCreated', orders, { time })
  deepEqual(await unitsOf(buyer), { [raised]: 2, [both]: 2 })
})

test('an event of an unknown offer becomes a dead letter after five attempts and blocks nothing', async () => {
  const offer = await stock.offer({ quantity: 10 })
  await tell('OfferActivated', { OfferId: 987_654, ActivatedAt: later(1) })
  await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 7 })
  equal((await offerOf(offer)).quantity, 7)
  equal((await offerOf(offer)).price.amount, 1_000_000)
  const letters = async () => (await call('GET', '/v1/admin/dead-letters')).body.data.dead_letters
  await waitUntil(async () => {
    await call('POST', '/v1/test/clock', { body: { advance: 'PT6M' } })
    return (await letters()).length === 1
  })
  for (const it of await letters()) {
    equal(it.reaction, 'cart.handle-integration-event')
    equal(it.attempts, 5)
  }
})

test('integration events need an envelope and admin:write', async () => {
  const body = {
    specversion: '1.0',
    id: 'x',
    source: '/erp',
    type: 'OfferActivated',
    time: later(1),
    data: {},
  }
  for (const key of [await makeKey({ scopes: ['admin:read', 'cart:write', 'catalog:write'] })])
    assertRefused('insufficient_permissions', await call('POST', '/v1/integration-events', { key, body }))
  assertRefused('unauthorized', await call('POST', '/v1/integration-events', { key: null, body }))
  for (const wrong of [
    { ...body, specversion: '0.3' },
    { ...body, id: '' },
    { ...body, time: 'yesterday' },
    { ...body, time: '2026-02-31T00:00:00Z' },
    { ...body, source: undefined },
  ])
    assertRefused('validation_failed', await call('POST', '/v1/integration-events', { body: wrong }))
  const ids = times(50_000, (at) => at + 1)
  ok(
    [413, 422].includes(
      (await call('POST', '/v1/integration-events', { body: { ...body, data: { ids } } })).status,
    ),
  )
})

test('an unknown type, malformed data, a price to be rounded or a time in the future is refused at once', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const ahead = new Date(db.clock.now().getTime() + 6 * 60_000).toISOString()
  const wrong: [string, string, unknown, object?][] = [
    ['data.NewQuantity', 'OfferQuantityChanged', { OfferId: offer, NewQuantity: -1 }],
    ['data.NewQuantity', 'OfferQuantityChanged', { OfferId: offer, NewQuantity: 1.5 }],
    ['data.NewQuantity', 'OfferQuantityChanged', { OfferId: offer, NewQuantity: 1e18 }],
    ['data.OfferId', 'OfferQuantityChanged', { OfferId: String(offer), NewQuantity: 1 }],
    ['data.NewPrice', 'OfferPriceChanged', { OfferId: offer, OldPrice: 1, NewPrice: 0 }],
    ['data.NewPrice', 'OfferPriceChanged', { OfferId: offer, OldPrice: 1, NewPrice: 1e15 }],
    ['data.NewPrice', 'OfferPriceChanged', { OfferId: offer, OldPrice: 1, NewPrice: 10.005 }],
    [
      'data.ProcessedOfferIds',
      'OrdersCreated',
      { OrderIds: [1], ClientId: 1, ProcessedOfferIds: times(2_000, (at) => at + 1) },
    ],
    ['type', 'OfferDeleted', { OfferId: offer }],
    ['type', '__proto__', {}],
    ['data', 'OfferActivated', null],
    ['time', 'OfferQuantityChanged', { OfferId: offer, NewQuantity: 1 }, { time: ahead }],
  ]
  for (const [path, type, data, more] of wrong) {
    const body = {
      specversion: '1.0',
      id: `wrong-${++last}`,
      source: '/erp',
      type,
      time: later(1),
      data,
      ...more,
    }
    const { fields } = assertRefused(
      'validation_failed',
      await call('POST', '/v1/integration-events', { body }),
    )
    equal(fields[0].path, path, `${type} ${JSON.stringify(data).slice(0, 80)}`)
  }
  equal((await offerOf(offer)).quantity, 10)
})

test('an event that is older than a value set through the API does not replace it', async () => {
  const offer = await stock.offer({ price: 700, quantity: 10 })
  const before = now()
  await waitUntil(() => now() > before)
  equal((await call('PATCH', `/v1/catalog/offers/${offer}`, { body: { quantity: 8 } })).status, 200)
  await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 5 }, { time: before })
  await tell('OfferPriceChanged', { OfferId: offer, OldPrice: 700, NewPrice: 650 }, { time: before })
  const kept = await offerOf(offer)
  deepEqual([kept.quantity, kept.price.amount], [8, 65_000])
  await tell('OfferQuantityChanged', { OfferId: offer, NewQuantity: 4 }, { time: now() })
  equal((await offerOf(offer)).quantity, 4)
})

test('events come as CloudEvents, one or a batch, with extensions, offsets and fractions of seconds', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const event = (NewQuantity: number, time: string) => ({
    specversion: '1.0',
    id: `cloud-${++last}`,
    source: '/cloud',
    type: 'OfferQuantityChanged',
    time,
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    data: { OfferId: offer, NewQuantity },
  })
  const send = (type: string, body: unknown) =>
    call('POST', '/v1/integration-events', { body, headers: { 'content-type': type } })
  const one = await send('application/cloudevents+json', event(5, '2026-11-01T14:00:00.123456789+05:00'))
  equal(one.body.data.event.status, 'accepted', one.text)
  const batch = [event(6, '2026-11-01T09:00:02Z'), event(7, '2026-11-01T09:00:01.5Z')]
  const many = await send('application/cloudevents-batch+json; charset=utf-8', batch)
  deepEqual(
    many.body.data.events.map((it: { status: string }) => it.status),
    ['accepted', 'accepted'],
  )
  await relay.catchUp()
  equal((await offerOf(offer)).quantity, 6)
  const broken = [event(1, '2026-11-01T09:00:03Z'), event(-1, '2026-11-01T09:00:03Z')]
  const { fields } = assertRefused(
    'validation_failed',
    await send('application/cloudevents-batch+json', broken),
  )
  equal(fields[0].path, '1.data.NewQuantity')
  const typed = await send('text/plain', event(1, '2026-11-01T09:00:04Z'))
  deepEqual(assertRefused('unsupported_media_type', typed), {
    expected:
      'application/json, application/cloudevents+json, application/cloudevents-batch+json; charset=utf-8',
  })
  const other = await call('POST', '/v1/catalog/brands', {
    body: { slug: 'x', name: 'x' },
    headers: { 'content-type': 'application/cloudevents+json' },
  })
  assertRefused('unsupported_media_type', other)
})

test('external orders leave the units that were added to a line after them', async () => {
  const buyer = newClient()
  const [grown, same] = [await stock.offer(), await stock.offer()]
  await put(buyer, grown, 2)
  await put(buyer, same, 1)
  const time = now()
  await waitUntil(() => now() > time)
  await put(buyer, grown, 3)
  const { Version } = await view(buyer)
  await tell(
    'OrdersCreated',
    { OrderIds: [1], ClientId: buyer.ClientId, ProcessedOfferIds: [grown, same] },
    { time },
  )
  deepEqual(await unitsOf(buyer), { [grown]: 3 })
  ok((await view(buyer)).Version > Version)
})

test('the reason of a deactivation and the time of an activation are passed on', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const published = (type: string) =>
    db
      .read()
      .one<{ fields: Record<string, unknown> }>(
        `select fields from outbox_events where type = $1 and subject = $2 order by sequence desc limit 1`,
        [type, `offer/${offer}`],
      )
  await tell('OfferDeactivated', { OfferId: offer, Reason: 'Withdrawn by the supplier' }, { time: now() })
  equal((await published('OfferDeactivated')).fields['reason'], 'Withdrawn by the supplier')
  const ActivatedAt = '2026-11-01T14:00:00.5+05:00'
  await tell('OfferActivated', { OfferId: offer, ActivatedAt }, { time: now() })
  equal((await published('OfferActivated')).fields['activatedAt'], '2026-11-01T09:00:00.500Z')
  await tell('OfferDeactivated', { OfferId: offer, Reason: '' }, { time: now() })
  equal((await published('OfferDeactivated')).fields['reason'], 'deactivated')
})

test('an activation without a readable time is refused', async () => {
  const offer = await stock.offer({ quantity: 10 })
  for (const ActivatedAt of ['yesterday', '2026-11-01', '2026-02-31T09:00:00Z', '']) {
    const body = {
      specversion: '1.0',
      id: `activation-${ActivatedAt}`,
      source: '/erp',
      type: 'OfferActivated',
      time: later(1),
      data: { OfferId: offer, ActivatedAt },
    }
    const { fields } = assertRefused(
      'validation_failed',
      await call('POST', '/v1/integration-events', { body }),
    )
    equal(fields[0].path, 'data.ActivatedAt', ActivatedAt)
  }
})

test('an event from the message bus that is dated in the future changes nothing and blocks no later event', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const send = async (NewQuantity: number, time: string) => {
    const id = `bus-${++last}`
    const event = { specversion: '1.0', id, source: '/bus', type: 'OfferQuantityChanged', time }
    const payload = new TextEncoder().encode(
      JSON.stringify({ ...event, data: { OfferId: offer, NewQuantity } }),
    )
    await receiveMessage(db, { subject: 'integration.test.bus', name: id, payload })
    await relay.catchUp()
    return (await offerOf(offer)).quantity
  }
  equal(await send(1, '2030-01-01T00:00:00Z'), 10)
  equal(await send(7, now()), 7)
  const kept = await db
    .read()
    .all<{ text: string }>(
      `select fields->>'data' as text from outbox_events where fields->>'eventType' = 'Unreadable'`,
    )
  ok(kept.some((it) => it.text.includes('2030-01-01')))
})
