import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest, times } from '../support/carts.ts'
import { address, card, cash, installment, openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const { stock } = shop

test('unavailable lines stay in the cart and are listed; an order that selects them is refused', async () => {
  const [good, gone] = [await stock.offer({ price: 500 }), await stock.offer({ id: 900_002 })]
  const buyer = shop.newClient()
  await shop.put(buyer, good)
  await shop.put(buyer, gone, 2)
  await stock.load('offer', {
    id: gone,
    product_id: gone,
    partner_id: 1,
    price_tiyin: 100,
    quantity: 5,
    is_active: false,
  })
  const details = assertRefused('offer_unavailable', await shop.orderSome(buyer, [good, gone]))
  deepEqual(
    details.violations.map((it: { offer_id: number }) => it.offer_id),
    [gone],
  )
  assertRefused('offer_unavailable', await shop.orderSome(buyer, [gone]))
  const { data } = (await shop.order(buyer)).body
  deepEqual(data.Skipped, [{ OfferId: gone, Quantity: 2, Reason: 'offer_unavailable' }])
  equal(data.TotalAmount, 500)
  deepEqual(await shop.unitsOf(buyer), { [gone]: 2 })
  assertRefused('nothing_orderable', await shop.order(buyer))
})

test('stock that fell below the quantity refuses the whole order', async () => {
  const [plenty, few] = [await stock.offer(), await stock.offer({ id: 900_003, quantity: 5 })]
  const buyer = shop.newClient()
  await shop.put(buyer, plenty)
  await shop.put(buyer, few, 5)
  await stock.load('offer', { id: few, product_id: few, partner_id: 1, price_tiyin: 100, quantity: 3 })
  const { violations } = assertRefused('stock_exceeded', await shop.order(buyer))
  deepEqual(
    violations.map((it: { offer_id: number; available: number }) => [it.offer_id, it.available]),
    [[few, 3]],
  )
  equal(await shop.onHand(plenty), 100)
  deepEqual(await shop.unitsOf(buyer), { [plenty]: 1, [few]: 5 })
})

test('a selection that is empty, duplicated, not in the cart or too long is refused', async () => {
  const [mine, foreign] = [await stock.offer(), await stock.offer()]
  const [buyer, other] = [shop.newClient(), shop.newClient()]
  await shop.put(buyer, mine)
  await shop.put(other, foreign)
  for (const OfferIds of [
    [],
    [mine, mine],
    [mine, foreign],
    [mine, 99_999_999],
    times(10_000, (at) => at + 1),
  ])
    assertRefused('validation_failed', await shop.orderSome(buyer, OfferIds))
  assertRefused(
    'validation_failed',
    await shop.post('/api/cart/orders-v2', { ...buyer, PaymentMethodId: cash, DeliveryAddress: address }),
  )
  deepEqual(await shop.unitsOf(buyer), { [mine]: 1 })
})

test('an empty selection is refused by every ordering call, and not as an empty cart', async () => {
  const offer = await stock.offer()
  const buyer = shop.newClient()
  const { CartId } = await shop.put(buyer, offer)
  const order = { PaymentMethodId: cash, DeliveryAddress: address }
  const refused = async (path: string, body: object) => {
    const reply = await shop.post(path, body)
    assertRefused('validation_failed', reply)
    return reply.body.error.details.fields.map((it: { path: string; rule: string }) => [it.path, it.rule])
  }
  for (const path of ['/api/cart/orders-v2', '/api/cart/mini-app/orders'])
    for (const none of [{ OfferIds: [] }, { ModeratedOfferIds: [] }, { OfferIds: [], ModeratedOfferIds: [] }])
      deepEqual(await refused(path, { ...buyer, ...order, ...none }), [['OfferIds', 'required']], path)
  const v1 = { cart_id: CartId, payment_method_id: String(cash), delivery_address: address }
  deepEqual(await refused('/v1/orders', { ...v1, offer_ids: [] }), [['offer_ids', 'required']])
  deepEqual(await refused('/v1/orders', { ...v1, moderated_offer_ids: [] }), [['offer_ids', 'required']])
  deepEqual(await shop.unitsOf(buyer), { [offer]: 1 })
})

test('a refused selection names the id that is at fault, also among UUIDs', async () => {
  const [uuid, unknown] = ['0b7d9d52-6c1f-4d0c-9a55-6f2f3c1a7e10', '5c0e8a41-7a1d-4f7b-8a6c-1f0d2b3c4d5e']
  const mine = await stock.moderatedOffer({ uuid })
  const [absent, offer] = [await stock.moderatedOffer(), await stock.offer()]
  const buyer = shop.newClient()
  const { CartId } = await shop.put(buyer, offer)
  equal((await shop.addModerated(buyer, mine)).status, 200)
  const faultsOf = (reply: Reply) =>
    assertRefused('validation_failed', reply).fields.map((it: { path: string; rule: string }) => [
      it.path,
      it.rule,
    ])
  const ordering = { PaymentMethodId: cash, DeliveryAddress: address }
  for (const [ids, fault] of [
    [
      [uuid, absent],
      ['ModeratedOfferIds.1', 'in_cart'],
    ],
    [
      [absent, uuid],
      ['ModeratedOfferIds.0', 'in_cart'],
    ],
    [
      [uuid.toUpperCase(), unknown],
      ['ModeratedOfferIds.1', 'in_cart'],
    ],
    [
      [uuid, mine],
      ['ModeratedOfferIds.1', 'unique'],
    ],
    [
      [uuid, uuid.toUpperCase()],
      ['ModeratedOfferIds.1', 'unique'],
    ],
  ] as const)
    deepEqual(
      faultsOf(await shop.post('/api/cart/orders-v2', { ...buyer, ...ordering, ModeratedOfferIds: ids })),
      [fault],
    )
  const inV1 = { cart_id: CartId, payment_method_id: String(cash), delivery_address: address }
  deepEqual(faultsOf(await shop.post('/v1/orders', { ...inV1, moderated_offer_ids: [uuid, absent] })), [
    ['moderated_offer_ids.1', 'in_cart'],
  ])
  deepEqual(faultsOf(await shop.post('/v1/orders', { ...inV1, offer_ids: [offer, String(offer)] })), [
    ['offer_ids.1', 'unique'],
  ])
  deepEqual(await shop.unitsOf(buyer), { [offer]: 1 })
})

test('only the selected lines are ordered; the others stay in the cart', async () => {
  const offers = await Promise.all(times(3, () => stock.offer()))
  const moderated = await stock.moderatedOffer()
  const buyer = shop.newClient()
  for (const it of offers) await shop.put(buyer, it)
  equal((await shop.addModerated(buyer, moderated)).status, 200)
  const made = await shop.orderSome(buyer, [offers[1]!], { ModeratedOfferIds: [moderated] })
  equal(made.status, 201, made.text)
  deepEqual(
    made.body.data.Orders[0].Items.map(
      (it: Record<string, unknown>) => it['OfferId'] ?? it['ModeratedOfferId'],
    ),
    [offers[1], moderated],
  )
  deepEqual(await shop.unitsOf(buyer), { [offers[0]!]: 1, [offers[2]!]: 1 })
})

test('an order with If-Match is refused when the cart has changed', async () => {
  const buyer = shop.newClient()
  const [seen, late] = [await stock.offer(), await stock.offer()]
  await shop.put(buyer, seen)
  const path = `/api/cart/items?ClientId=${buyer.ClientId}`
  const tagged = async () => ({ 'if-match': (await platform.call('GET', path)).headers.get('etag')! })
  const before = await tagged()
  await shop.put(buyer, late)
  for (const send of [
    shop.order(buyer, {}, { headers: before }),
    shop.orderSome(buyer, [seen], {}, { headers: before }),
  ])
    assertRefused('version_mismatch', await send)
  deepEqual(await shop.unitsOf(buyer), { [seen]: 1, [late]: 1 })
  const made = await shop.order(buyer, {}, { headers: await tagged() })
  equal(made.status, 201, made.text)
})

test('a moderated offer is added, changed and ordered by its UUID in any letter case', async () => {
  const uuid = '5b0c7e1a-94d2-4f7e-8a3b-c1d2e3f4a5b6'
  const moderated = await stock.moderatedOffer({ uuid })
  const named = { ...shop.newClient(), ModeratedOfferId: uuid.toUpperCase() }
  equal((await shop.post('/api/cart/moderated-items', { ...named, Quantity: 1 })).status, 200)
  const path = '/api/cart/moderated-items/quantity'
  equal((await platform.call('PATCH', path, { body: { ...named, NewQuantity: 2 } })).status, 200)
  const { ModeratedOfferId, ...buyer } = named
  const made = await shop.post('/api/cart/orders-v2', {
    ...buyer,
    PaymentMethodId: cash,
    DeliveryAddress: address,
    ModeratedOfferIds: [ModeratedOfferId],
  })
  equal(made.status, 201, made.text)
  const [item] = made.body.data.Orders[0].Items
  deepEqual([item.ModeratedOfferId, item.Quantity], [moderated, 2])
})

test('a cart gives one order per partner and one event with all order ids', async () => {
  const [a, b] = [await stock.offer({ partnerId: 1 }), await stock.offer({ partnerId: 2 })]
  const buyer = shop.newClient()
  await shop.put(buyer, a)
  await shop.put(buyer, b, 2)
  const { data } = (await shop.order(buyer)).body
  deepEqual(
    data.Orders.map((it: { PartnerId: number }) => it.PartnerId),
    [1, 2],
  )
  const { CartId } = await shop.view(buyer)
  const published = (await shop.events('OrdersCreated')).filter(
    (it) => it.fields['clientId'] === buyer.ClientId,
  )
  deepEqual(
    published.map((it) => it.fields),
    [
      {
        orderIds: data.OrderIds,
        clientId: buyer.ClientId,
        processedOfferIds: [a, b],
        processedModeratedOfferIds: [],
        cartId: CartId,
      },
    ],
  )
})

test('a guest cannot pay in instalments, exceed the guest limit, or order large amounts without signing in', async () => {
  const [cheap, dear] = [await stock.offer({ price: 100_000 }), await stock.offer({ price: 2_000_001 })]
  const [small, large] = [newGuest(), newGuest()]
  await shop.put(small, cheap)
  const refused = assertRefused(
    'payment_method_not_allowed',
    await shop.order(small, { PaymentMethodId: installment }),
  )
  deepEqual(refused.violations[0].remedy, { action: 'choose_payment_method', payment_method_ids: [1, 3] })
  await shop.put(large, dear)
  const { violations } = assertRefused('authorization_required', await shop.order(large))
  deepEqual(violations[0].remedy, { action: 'sign_in' })
  equal((await shop.order(small, { PaymentMethodId: card })).status, 201)
})

test('a payment method that is unknown, a text or out of range is refused', async () => {
  const buyer = shop.newClient()
  await shop.put(buyer, await stock.offer())
  for (const PaymentMethodId of [0, 5, -1, '1', 1.5, 2 ** 53 + 1, null])
    assertRefused('validation_failed', await shop.order(buyer, { PaymentMethodId }))
})

test('an address is stored unchanged, or refused when it is empty, too long or contains NUL', async () => {
  const buyer = shop.newClient()
  const offer = await stock.offer({ quantity: 1_000 })
  for (const DeliveryAddress of ['', '   ', 'x'.repeat(501), 'x'.repeat(200_000), 'a\u0000b'])
    assertRefused('validation_failed', await shop.order(buyer, { DeliveryAddress }))
  const strange = [
    '<b>1</b>',
    `'; drop table orders_orders; --`,
    'a\r\nb',
    '\u202Eabc',
    '🏠 5',
    'ў'.repeat(500),
  ]
  for (const DeliveryAddress of strange) {
    const one = shop.newClient()
    await shop.put(one, offer)
    const [id] = await shop.ordered(one, { DeliveryAddress })
    equal((await shop.get(id!)).delivery_address, DeliveryAddress)
  }
})

test('amounts above the maximum are refused, never rounded', async () => {
  await platform.call('PATCH', '/v1/admin/limits', {
    body: {
      daily_amount_tiyin: Number.MAX_SAFE_INTEGER,
      product_units_per_order: 9_999,
      product_units_per_30_days: 9_999,
    },
  })
  const buyer = shop.newClient()
  const offer = await stock.offer({ id: 900_004, price: 1, quantity: 9_999 })
  await shop.put(buyer, offer, 9_999)
  await stock.load('offer', {
    id: offer,
    product_id: offer,
    partner_id: 1,
    price_tiyin: 10 ** 13,
    quantity: 9_999,
  })
  assertRefused('amount_too_large', await shop.order(buyer))
  await platform.call('PATCH', '/v1/admin/limits', {
    body: { daily_amount_tiyin: 5_000_000_000, product_units_per_order: 10, product_units_per_30_days: 30 },
  })
})

test('a key older than a day counts as new: the cart is empty, and no second order is created', async () => {
  const buyer = shop.newClient()
  const offer = await stock.offer()
  await shop.put(buyer, offer)
  const headers = { 'idempotency-key': 'of-yesterday' }
  equal((await shop.order(buyer, {}, { headers })).status, 201)
  await shop.advance('PT25H')
  assertRefused('cart_empty', await shop.order(buyer, {}, { headers }))
  equal(await shop.onHand(offer), 99)
})

test('the order of another buyer gets the same 404 as an unknown order', async () => {
  const [mine] = await (async () => {
    const buyer = shop.newClient()
    await shop.put(buyer, await stock.offer())
    return shop.ordered(buyer)
  })()
  const device = await platform.makeKey({ type: 'mobile' })
  const session = 'session-of-nobody'
  const absent = await platform.call('GET', `/v1/orders/99999999?session_id=${session}`, { key: device })
  const foreign = await platform.call('GET', `/v1/orders/${mine}?session_id=${session}`, { key: device })
  assertRefused('not_found', absent)
  assertRefused('not_found', foreign)
  const comparable = ({ text }: Reply, id: string) => text.replace(/"meta".*/, '').replaceAll(id, '')
  equal(comparable(foreign, String(mine)), comparable(absent, '99999999'))
  assertRefused('buyer_required', await platform.call('GET', `/v1/orders/${mine}`, { key: device }))
  assertRefused('buyer_required', await platform.call('GET', `/v1/orders`, { key: device }))
  for (const id of ['0', '-1', '1e3', '01', '9223372036854775808', 'x'])
    assertRefused('not_found', await platform.call('GET', `/v1/orders/${id}`))
})

test('a dry run returns the order and stores nothing', async () => {
  const buyer = shop.newClient()
  const offer = await stock.offer()
  await shop.put(buyer, offer)
  const reply = await shop.order(buyer, {}, { headers: { prefer: 'dry-run' } })
  equal(reply.status, 201)
  equal(await shop.onHand(offer), 100)
  deepEqual(await shop.unitsOf(buyer), { [offer]: 1 })
})

test('units of an expired reservation go either to the order or to a new reservation', async () => {
  const mine = shop.newClient()
  const offers = await Promise.all(times(6, () => stock.offer({ quantity: 3, reservation_minutes: 1 })))
  for (const offer of offers) await shop.put(mine, offer, 3)
  await shop.advance('PT2M')
  for (const offer of offers) {
    const theirs = shop.newClient()
    const [made, added] = await Promise.all([shop.orderSome(mine, [offer]), shop.add(theirs, offer, 3)])
    deepEqual([made.status, added.status], made.status === 201 ? [201, 422] : [422, 200])
    equal(await shop.onHand(offer), made.status === 201 ? 0 : 3)
  }
})

test('every invalid request to every order path is refused with a reason, never with a 500', async () => {
  const buyer = shop.newClient()
  const offer = await stock.offer({ quantity: 10 })
  await shop.put(buyer, offer, 2)
  const [id] = await shop.ordered(buyer)
  const some = '019a8a52-7c00-7f3e-8a7e-2f1c9a7be03d'
  const bodies = [
    null,
    [],
    'x',
    { kind: 'card' },
    { lines: [{ line: 1, quantity: 0 }], reason: 'x' },
    { lines: [{ line: 99, quantity: 1 }], reason: 'x' },
    { lines: [{ line: 1, quantity: 3 }], reason: 'x' },
    { reason: 'a\u0000b' },
    { amount: 1.5 },
    { amount: 2 ** 53 },
    { kind: 'cash', amount: 9e15 },
    { restock: 'yes' },
  ]
  const steps = ['cancel', 'payments', 'fulfilments', 'returns']
  const parts = ['payments/*/capture', 'payments/*/void', 'payments/*/refunds', 'fulfilments/*/ship']
  const more = ['fulfilments/*/deliver', 'fulfilments/*/cancel', 'returns/*/receive', 'returns/*/reject']
  for (const path of [...steps, ...parts, ...more])
    for (const which of [id, 99_999_999, 'x', '9223372036854775808'])
      for (const body of bodies) {
        const reply = await platform.call('POST', `/v1/orders/${which}/${path.replace('*', some)}`, { body })
        ok([404, 409, 422].includes(reply.status), `${path} ${JSON.stringify(body)}: ${reply.text}`)
        ok(reply.body.error.code && reply.body.meta.request_id)
      }
  equal((await shop.get(id!)).status, 'confirmed')
  equal(await shop.onHand(offer), 8)
})
