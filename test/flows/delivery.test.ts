// Delivery: methods of partners, which of them serve a cart and a region, orders with delivery, saved addresses.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith } from '../support/client.ts'
import { queryOf } from '../support/carts.ts'
import { address as oneLine, card, cash, openOrdering } from '../support/orders.ts'
import { testCards } from '../../src/orders/payments/test-acquirer.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const { call } = platform
const shop = await openOrdering(platform)

const name = (en: string) => ({ en })
const chorsu = {
  id: 'chorsu',
  name: name('Chorsu'),
  region: 'UZ-TK',
  city: 'Toshkent',
  address: 'Navoiy 48',
}
const [courier, post, pickup] = [11, 12, 13]
await shop.stock.load('delivery_method', {
  id: courier,
  partner_id: 1,
  kind: 'courier',
  name: { ru: 'Курьер', en: 'Courier' },
  regions: ['UZ-TK'],
  price_tiyin: 2_500_000,
  free_from_tiyin: 10_000_000,
  days_min: 1,
  days_max: 2,
})
await shop.stock.load('delivery_method', {
  id: post,
  partner_id: 1,
  kind: 'post',
  name: name('Post'),
  regions: ['UZ'],
  price_tiyin: 1_000_000,
  days_max: 9,
})
await shop.stock.load('delivery_method', {
  id: pickup,
  partner_id: 1,
  kind: 'pickup',
  name: name('Pick-up point'),
  price_tiyin: 0,
  pickup_points: [chorsu],
})

const home = { Region: 'UZ-TK', City: 'Toshkent', Street: 'Amir Temur', House: '1', Apartment: '12' }
const nukus = { ...home, Region: 'UZ-QR', City: 'Nukus' }
const by = (DeliveryMethodId: number, more: object = {}) => ({ PartnerId: 1, DeliveryMethodId, ...more })

/** A client with offers for 50 000 sums of partner 1. */
async function withCart(price = 50_000) {
  const buyer = shop.newClient()
  const offerId = await shop.stock.offer({ price })
  const cart = await shop.put(buyer, offerId)
  return { buyer, offerId, cartId: cart.CartId as string }
}
const order = (buyer: object, more: object) =>
  shop.post('/api/cart/orders', { ...buyer, PaymentMethodId: cash, ...more })

const methodsFor = async (buyer: { ClientId: number }, more = '') => {
  const reply = await call('GET', `/api/cart/delivery?${queryOf(buyer)}${more}`)
  equal(reply.status, 200, reply.text)
  return reply.body.data
}

test('a cart lists the methods of its partners for a region, with prices and promised days', async () => {
  const { buyer, offerId, cartId } = await withCart()
  const all = await methodsFor(buyer)
  deepEqual(
    all.Deliveries[0].Methods.map((it: { DeliveryMethodId: number }) => it.DeliveryMethodId),
    [pickup, post, courier],
  )
  const inNukus = await methodsFor(buyer, '&Region=UZ-QR')
  deepEqual(
    inNukus.Deliveries[0].Methods.map((it: { DeliveryMethodId: number; Price: number }) => [
      it.DeliveryMethodId,
      it.Price,
    ]),
    [[post, 10_000]],
  )
  const [entry] = (await methodsFor(buyer, `&Region=UZ-TK&OfferIds=${offerId}`)).Deliveries
  equal(entry.Amount, 50_000)
  const found = entry.Methods.find((it: { Kind: string }) => it.Kind === 'courier')
  deepEqual([found.Price, found.FreeFrom, found.DaysMin, found.DaysMax], [25_000, 100_000, 1, 2])
  ok(/^\d{4}-\d\d-\d\d$/.test(found.PromisedOn))
  const mini = await call('GET', `/api/cart/mini-app/delivery?${queryOf(buyer)}`)
  deepEqual(mini.body.data, all)
  const v1 = await call('GET', `/v1/cart/${cartId}/delivery?region=UZ-TK`)
  equal(v1.status, 200, v1.text)
  deepEqual(v1.body.data.deliveries[0].methods[0].pickup_points[0].region_name, 'город Ташкент')
  deepEqual(v1.body.data.deliveries[0].methods.at(-1).price, { amount: 2_500_000, currency: 'UZS' })
  equal((await methodsFor(buyer, '&OfferIds=999999')).Deliveries.length, 0)
})

test('an order carries address, method, price and promised day, and its total covers the delivery', async () => {
  const { buyer } = await withCart()
  const Delivery = { Address: home, Methods: [by(courier)] }
  const wrong = assertRefused('price_changed', await order(buyer, { Delivery, ExpectedTotalAmount: 50_000 }))
  deepEqual([wrong.expected, wrong.actual, wrong.delivery], [50_000, 75_000, 25_000])
  const reply = await order(buyer, { Delivery, ExpectedTotalAmount: 75_000 })
  equal(reply.status, 201, reply.text)
  const [placed] = reply.body.data.Orders
  deepEqual(
    [placed.Amount, placed.Delivery.Price, placed.Address, reply.body.data.TotalAmount],
    [75_000, 25_000, 'Toshkent, Amir Temur, 1, 12', 75_000],
  )
  const shown = await shop.get(placed.OrderId)
  equal(shown.total.amount, 7_500_000)
  const { delivery } = shown
  deepEqual(
    [delivery.delivery_method_id, delivery.kind, delivery.address.region_name],
    ['11', 'courier', 'город Ташкент'],
  )
  const promised = Date.parse(delivery.promised_on) - Date.parse(shown.created_at.slice(0, 10))
  ok(promised >= 2 * 86_400_000 && promised <= 3 * 86_400_000, delivery.promised_on)
})

test('delivery is free from the amount that the method names', async () => {
  const { buyer } = await withCart(100_000)
  const reply = await order(buyer, { Delivery: { Address: home, Methods: [by(courier)] } })
  equal(reply.body.data.TotalAmount, 100_000, reply.text)
  equal(reply.body.data.Orders[0].Delivery.Price, 0)
})

test('an order that the buyer collects needs a pick-up point and no address', async () => {
  const { buyer } = await withCart()
  const at = (more: object) => order(buyer, { Delivery: { Methods: [by(pickup, more)] } })
  const missing = assertRefused('validation_failed', await at({}))
  equal(missing.fields[0].path, 'Delivery.Methods.0.PickupPointId')
  const unknown = assertRefused('validation_failed', await at({ PickupPointId: 'nowhere' }))
  ok(unknown.fields[0].message.includes('chorsu'), unknown.fields[0].message)
  const reply = await at({ PickupPointId: 'chorsu' })
  equal(reply.status, 201, reply.text)
  const { Address, Delivery } = reply.body.data.Orders[0]
  deepEqual([Address, Delivery.PickupPoint.Name, Delivery.Address], ['Toshkent, Navoiy 48', 'Chorsu', null])
})

test('a seller that delivers nowhere, or not to the address, offers no choice in the refusal', async () => {
  await shop.stock.load('partner', { id: 3, slug: 'closed', name: 'Closed' })
  const closed = { partner_id: 3, kind: 'courier', name: name('Courier'), price_tiyin: 0, active: false }
  await shop.stock.load('delivery_method', { id: 21, ...closed })
  const buyer = shop.newClient()
  await shop.put(buyer, await shop.stock.offer({ partnerId: 3 }))
  const unserved = { code: 'delivery_unavailable', partner_id: 3, available: 0, remedy: { action: 'remove' } }
  const refusalOf = async (more: object) => {
    const { violations } = assertRefused('delivery_unavailable', await order(buyer, more))
    const [{ message, ...violation }] = violations
    ok(message === undefined || message.length > 0)
    return violation
  }
  deepEqual(await refusalOf({ DeliveryAddress: oneLine }), unserved)
  await shop.stock.load('delivery_method', {
    id: 21,
    ...closed,
    active: true,
    regions: ['UZ-TK'],
    price_tiyin: 1,
  })
  deepEqual(await refusalOf({ Delivery: { Address: nukus } }), unserved)
  assertRefused('delivery_method_required', await order(buyer, { Delivery: { Address: home } }))
})

test('a method that does not serve the order is refused with those that do', async () => {
  const { buyer, offerId, cartId } = await withCart()
  const refused = assertRefused(
    'delivery_unavailable',
    await order(buyer, { Delivery: { Address: nukus, Methods: [by(courier)] } }),
  )
  deepEqual(refused.violations[0], {
    code: 'delivery_unavailable',
    partner_id: 1,
    remedy: { action: 'choose_delivery', delivery_method_ids: [post] },
  })
  assertRefused(
    'delivery_unavailable',
    await order(buyer, { Delivery: { Address: home, Methods: [by(777)] } }),
  )
  const unchosen = assertRefused('delivery_method_required', await order(buyer, { DeliveryAddress: oneLine }))
  deepEqual(unchosen.violations[0].remedy.delivery_method_ids, [pickup, post, courier])
  const elsewhere = { PartnerId: 2, DeliveryMethodId: post }
  const twice = { Address: home, Methods: [by(post), by(courier), elsewhere] }
  deepEqual(
    assertRefused('validation_failed', await order(buyer, { Delivery: twice })).fields.map(
      (it: { path: string; rule: string }) => `${it.path} ${it.rule}`,
    ),
    ['Delivery.Methods.1.PartnerId unique', 'Delivery.Methods.2.PartnerId in_cart'],
  )
  const noRegion = await order(buyer, { DeliveryAddress: oneLine, Delivery: { Methods: [by(post)] } })
  equal(assertRefused('validation_failed', noRegion).fields[0].path, 'Delivery.Address')
  assertRefused(
    'validation_failed',
    await order(buyer, { Delivery: { Address: { ...home, Region: 'Toshkent' }, Methods: [by(post)] } }),
  )
  const v1 = await shop.post('/v1/orders', {
    cart_id: cartId,
    payment_method_id: String(cash),
    offer_ids: [String(offerId)],
    delivery: { methods: [{ partner_id: '1', delivery_method_id: String(pickup) }] },
  })
  equal(assertRefused('validation_failed', v1).fields[0].path, 'delivery.methods.0.pickup_point_id')
  const noMethod = await shop.post('/v1/orders', {
    cart_id: cartId,
    payment_method_id: cash,
    delivery_address: oneLine,
  })
  equal(assertRefused('delivery_method_required', noMethod).violations[0].partner_id, '1')
})

test('the mini-app and /v1 place orders with delivery too', async () => {
  const mini = await withCart()
  const reply = await shop.post('/api/cart/mini-app/orders', {
    ...mini.buyer,
    PaymentMethodId: cash,
    Delivery: { Address: nukus, Methods: [by(post)] },
    OfferIds: [mini.offerId],
    ExpectedTotalAmount: 60_000,
  })
  equal(reply.status, 201, reply.text)
  const { cartId } = await withCart()
  const body = {
    cart_id: cartId,
    payment_method_id: cash,
    delivery: {
      address: { region: 'UZ-TK', city: 'Toshkent', street: 'Amir Temur', house: '1', postal_code: '100000' },
      methods: [{ partner_id: 1, delivery_method_id: courier }],
    },
  }
  const changed = await shop.post('/v1/orders', { ...body, expected_total: { amount: 1, currency: 'UZS' } })
  assertRefused('price_changed', changed)
  const v1 = await shop.post('/v1/orders', {
    ...body,
    expected_total: { amount: 7_500_000, currency: 'UZS' },
  })
  equal(v1.status, 201, v1.text)
  deepEqual(v1.body.data.total, { amount: 7_500_000, currency: 'UZS' })
  equal(v1.body.data.orders[0].delivery.address.postal_code, '100000')
})

test('a partner without methods keeps one free method, and addresses in one line', async () => {
  const buyer = shop.newClient()
  await shop.put(buyer, await shop.stock.offer({ partnerId: 2 }))
  const [entry] = (await methodsFor(buyer, '&Region=UZ-QR')).Deliveries
  deepEqual(
    entry.Methods.map((it: { DeliveryMethodId: null; Price: number }) => [it.DeliveryMethodId, it.Price]),
    [[null, 0]],
  )
  const missing = assertRefused('validation_failed', await order(buyer, {}))
  deepEqual(missing.fields[0], {
    path: 'DeliveryAddress',
    rule: 'required',
    message: missing.fields[0].message,
  })
  const reply = await order(buyer, { DeliveryAddress: oneLine })
  equal(reply.body.data.TotalAmount, 10_000, reply.text)
  equal(reply.body.data.Orders[0].Delivery.PromisedOn, null)
})

test('a return refunds the products and keeps the delivery, with its reason; a cancellation refunds both', async () => {
  const paid = async () => {
    const { buyer } = await withCart()
    const reply = await order(buyer, {
      PaymentMethodId: card,
      Delivery: { Address: home, Methods: [by(courier)] },
    })
    const id = reply.body.data.OrderIds[0] as number
    equal((await shop.pay(id, testCards.success.number)).status, 201)
    return id
  }
  const returned = await paid()
  equal((await shop.get(returned)).payment_status, 'paid')
  const { fulfilment } = await shop.act(returned, 'fulfilments')
  await shop.act(returned, `fulfilments/${fulfilment.id}/ship`)
  await shop.act(returned, `fulfilments/${fulfilment.id}/deliver`)
  const { return: requested } = await shop.act(returned, 'returns', { reason: 'Too small' })
  await shop.act(returned, `returns/${requested.id}/receive`)
  const { amounts } = await shop.get(returned)
  deepEqual(
    [amounts.refunded.amount, amounts.kept],
    [5_000_000, [{ reason: 'delivery', amount: { amount: 2_500_000, currency: 'UZS' } }]],
  )
  const cancelled = await paid()
  await shop.act(cancelled, 'cancel')
  const after = (await shop.get(cancelled)).amounts
  deepEqual([after.refunded.amount, after.kept], [7_500_000, []])
})

test('an order in instalments has the delivery as its first part, without commission and outside the credit', async () => {
  const { buyer, offerId } = await withCart()
  await shop.stock.offer({ id: offerId, productId: offerId, price: 50_000, loan_condition_ids: [4] })
  equal((await shop.setCondition(buyer, offerId, 4)).status, 200)
  const reply = await order(buyer, {
    PaymentMethodId: 2,
    Delivery: { Address: home, Methods: [by(courier)] },
  })
  equal(reply.status, 201, reply.text)
  const { instalments, total_to_repay: total } = await shop.get(reply.body.data.OrderIds[0])
  deepEqual(
    [
      instalments.length,
      instalments[0].amount.amount,
      instalments[0].delivery.amount,
      instalments[0].commission.amount,
    ],
    [7, 2_500_000, 2_500_000, 0],
  )
  equal(total.amount, 2_500_000 + 5_600_000)
  equal((await shop.allowance(buyer.ClientId)).credit.used.amount, 5_000_000)
})

test('a client saves addresses and orders to one of them; another client does not', async () => {
  const signUp = async (phone: string) =>
    browserWith(
      platform.url,
      await shop.post('/v1/auth/register', { name: 'Botir', phone, password: 'four plums in a basket' }),
    )
  const browser = await signUp('+998935550177')
  const other = await signUp('+998935550178')
  const address = { region: 'UZ-TK', city: 'Toshkent', street: 'Amir Temur', house: '1' }
  const saved = await browser.call('POST', '/v1/auth/addresses', { body: { title: 'Home', address } })
  equal(saved.status, 201, saved.text)
  const { id } = saved.body.data.address
  deepEqual(
    [saved.body.data.address.text, saved.body.data.address.address.region_name],
    ['Toshkent, Amir Temur, 1', 'город Ташкент'],
  )
  const path = `/v1/auth/addresses/${id}`
  const body = { title: 'Office', address: { ...address, house: '7' } }
  assertRefused('not_found', await other.call('PUT', path, { body }))
  equal((await browser.call('PUT', path, { body })).body.data.address.address.house, '7')
  const buyer = { ClientId: Number(browser.client.id) }
  await shop.put(buyer, await shop.stock.offer())
  const Delivery = { AddressId: id, Methods: [by(courier)] }
  const another = shop.newClient()
  await shop.put(another, await shop.stock.offer())
  equal(
    assertRefused('validation_failed', await order(another, { Delivery })).fields[0].path,
    'Delivery.AddressId',
  )
  const reply = await order(buyer, { Delivery })
  equal(reply.body.data.Orders[0].Delivery.Address.House, '7', reply.text)
  equal((await browser.call('DELETE', path)).status, 200)
  assertRefused('not_found', await browser.call('DELETE', path))
  deepEqual((await browser.call('GET', '/v1/auth/addresses')).body.data.addresses, [])
})

test('delivery methods are checked, exported as records, and published as events', async () => {
  const create = (body: object) => shop.post('/v1/catalog/delivery-methods', body)
  const fields = { partner_id: '2', kind: 'courier', name: name('Courier'), price_tiyin: 0 }
  const refused = async (more: object) =>
    assertRefused('validation_failed', await create({ ...fields, ...more })).fields[0].path
  equal(await refused({ partner_id: 77 }), 'partner_id')
  equal(await refused({ days_min: 5, days_max: 2 }), 'days_max')
  equal(await refused({ kind: 'pickup' }), 'pickup_points')
  equal(await refused({ pickup_points: [chorsu] }), 'pickup_points')
  equal(await refused({ kind: 'pickup', pickup_points: [chorsu, chorsu] }), 'pickup_points')
  equal(await refused({ regions: ['Toshkent'] }), 'regions.0')
  const made = await create({ ...fields, active: false })
  equal(made.status, 201, made.text)
  const { id } = made.body.data.delivery_method
  ok((await shop.events('DeliveryMethodCreated')).some((it) => it.subject === `delivery-method/${id}`))
  const exported = await call('GET', '/v1/catalog/export?records=delivery_method')
  const lines = exported.text
    .trim()
    .split('\n')
    .map((it) => JSON.parse(it))
  deepEqual(lines.find((it) => it.id === pickup).pickup_points[0], {
    ...chorsu,
    hours: null,
    latitude: null,
    longitude: null,
  })
  // A partner whose methods are all switched off has none to offer.
  const buyer = shop.newClient()
  await shop.put(buyer, await shop.stock.offer({ partnerId: 2 }))
  assertRefused('delivery_unavailable', await order(buyer, { DeliveryAddress: oneLine }))
  equal((await call('DELETE', `/v1/catalog/delivery-methods/${id}`)).status, 200)
  const regions = await call('GET', '/v1/catalog/regions', { headers: { 'accept-language': 'uz' } })
  equal(regions.body.data.regions.length, 14)
})
