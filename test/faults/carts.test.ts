// C1 to C20: faults of carts, on both families of paths.

import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BuyerName,
  items,
  moderatedItems,
  newGuest,
  openCarts,
  queryOf,
  statuses,
  times,
} from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { call, keys, makeKey } = shop
const carts = openCarts(shop)
const { add, put, view, unitsOf, newClient } = carts

test('64 parallel adds of the last 10 units into one cart: exactly 10 succeed', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ quantity: 10 })
  const replies = await Promise.all(times(64, () => add(buyer, offer)))
  deepEqual(statuses(replies), { 200: 10, 422: 54 })
  for (const it of replies) if (it.status === 422) assertRefused('stock_exceeded', it)
  deepEqual(await unitsOf(buyer), { [offer]: 10 })
})

test('50 parallel adds of different offers into one cart all succeed', async () => {
  const buyer = newClient()
  const offers = await Promise.all(times(50, () => stock.offer()))
  deepEqual(statuses(await Promise.all(offers.map((it) => add(buyer, it)))), { 200: 50 })
  deepEqual(await unitsOf(buyer), Object.fromEntries(offers.map((it) => [it, 1])))
})

test('parallel first adds create one cart and publish it once', async () => {
  for (const buyer of [newClient(), newGuest()]) {
    const offers = await Promise.all(times(20, () => stock.offer()))
    const replies = await Promise.all(offers.map((it) => add(buyer, it)))
    deepEqual(statuses(replies), { 200: 20 })
    equal(new Set(replies.map((it) => it.body.data.CartId)).size, 1)
    const events = await carts.eventsOf(replies[0]!.body.data.CartId)
    equal(events.filter((it) => it.type === 'CartCreated').length, 1)
    equal(events.filter((it) => it.type === 'ItemAddedToCart').length, 20)
    deepEqual(new Set(replies.map((it) => it.body.data.Version)), new Set(times(20, (at) => at + 1)))
  }
})

test('parallel adds, changes and removals of one line end like some sequence of them', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ quantity: 9 })
  for (let round = 0; round < 5; round++) {
    await add(buyer, offer)
    const replies = await Promise.all([
      ...times(6, () => add(buyer, offer)),
      ...times(3, () => carts.setQuantity(buyer, offer, 2)),
      ...times(3, () => carts.remove(buyer, offer)),
    ])
    for (const it of replies) ok([200, 404, 422].includes(it.status), it.text)
    const quantity = (await unitsOf(buyer))[offer]
    ok(quantity === undefined || (quantity >= 1 && quantity <= 9), String(quantity))
    const rows = await shop.app.shops.test.db
      .read()
      .all(`select 1 from cart_items where offer_id = $1 and quantity < 1`, [offer])
    equal(rows.length, 0)
  }
})

test('a quantity of zero or less is 422, an unknown offer is 404, and nothing changes', async () => {
  const buyer = newClient()
  const offer = await stock.offer()
  const before = await put(buyer, offer)
  for (const quantity of [0, -1, 1.5, 10_000, 2 ** 53, null, '2'])
    assertRefused('validation_failed', await carts.setQuantity(buyer, offer, quantity as number))
  assertRefused('not_found', await carts.setQuantity(buyer, 999_999, 2))
  deepEqual(await view(buyer), before)
})

test('removing an absent line is 404, and a repeated removal has one effect', async () => {
  const buyer = newClient()
  const offer = await stock.offer()
  assertRefused('not_found', await carts.remove(buyer, offer))
  await put(buyer, offer)
  equal((await carts.remove(buyer, offer)).status, 200)
  assertRefused('not_found', await carts.remove(buyer, offer))

  await put(buyer, offer)
  const keyed = () =>
    call('DELETE', `${items}/${offer}?${queryOf(buyer)}`, { headers: { 'idempotency-key': 'once-gone' } })
  const [first, second] = [await keyed(), await keyed()]
  deepEqual([first.status, second.status], [200, 200])
  equal(second.text, first.text)
})

test('a bulk removal needs ids, refuses too many, and ignores duplicate and unknown ones', async () => {
  const buyer = newClient()
  const [one, two, three] = [await stock.offer(), await stock.offer(), await stock.offer()]
  for (const it of [one, two, three]) await put(buyer, it)
  const bulk = (body: object) => call('DELETE', `${items}/bulk`, { body: { ...buyer, ...body } })
  const before = await view(buyer)
  assertRefused('validation_failed', await bulk({}))
  assertRefused('validation_failed', await bulk({ OfferIds: times(1_001, (at) => at + 1) }))
  assertRefused('validation_failed', await bulk({ OfferIds: [one, 'x'] }))
  deepEqual(await view(buyer), before)
  const some = await bulk({ OfferIds: [one, one, 999_999] })
  deepEqual(Object.keys(await unitsOf(buyer)), [String(two), String(three)], some.text)
  const none = await bulk({ OfferIds: [999_999], ModeratedOfferIds: [one] })
  equal(none.body.data.Version, some.body.data.Version)
  const query = await call('DELETE', `${items}/bulk?${queryOf(buyer)}&OfferIds=${two},${three}`)
  deepEqual(query.body.data.Items, [], query.text)
})

test('fields that the shop sets are refused in requests', async () => {
  const offer = await stock.offer()
  const product = String(offer)
  for (const extra of [
    { id: 'x' },
    { price: 1 },
    { total: 1 },
    { created_at: 'now' },
    { buyer: 5 },
    { version: 9 },
  ]) {
    const items = [{ product_id: product, quantity: 1 }]
    assertRefused(
      'validation_failed',
      await call('POST', '/v1/cart', { body: { customer_id: '77', items, ...extra } }),
    )
    const priced = [{ ...items[0], ...extra }]
    assertRefused(
      'validation_failed',
      await call('POST', '/v1/cart', { body: { customer_id: '77', items: priced } }),
    )
    assertRefused('validation_failed', await add({ ClientId: 77 }, offer, 1, extra))
  }
  equal((await view({ ClientId: 77 })).CartId, null)
})

/** A client with a session, as in a browser. */
async function signedIn() {
  const phone = `+99890${String(Math.floor(performance.now() * 1000))
    .slice(-7)
    .padStart(7, '0')}`
  const reply = await call('POST', '/v1/auth/register', {
    body: { name: 'Buyer', phone, password: 'long and hard to guess 7' },
    headers: { origin: shop.url },
  })
  equal(reply.status, 201, reply.text)
  const cookie = reply.headers.get('set-cookie')!.split(';')[0]!
  const { id } = reply.body.data.client
  const headers = { cookie, origin: shop.url }
  return {
    id: Number(id),
    call: (method: string, path: string, body?: object) =>
      call(method, path, { key: null, headers, ...(body && { body }) }),
  }
}

test('a client credential with another client or a session in the request is refused', async () => {
  const me = await signedIn()
  const other = newClient()
  const offer = await stock.offer()
  const theirs = await put(other, offer)
  const mismatch = async (method: string, path: string, body?: object) =>
    assertRefused('buyer_mismatch', await me.call(method, path, body))
  await mismatch('POST', items, { ...other, OfferId: offer, Quantity: 1 })
  await mismatch('POST', items, { ...newGuest(), OfferId: offer, Quantity: 1 })
  await mismatch('GET', `${items}?${queryOf(other)}`)
  await mismatch('DELETE', `${items}?${queryOf(other)}`)
  await mismatch('DELETE', `${items}/${offer}?${queryOf(other)}`)
  await mismatch('PATCH', `${items}/quantity`, { ...other, OfferId: offer, NewQuantity: 2 })
  await mismatch('POST', '/v1/cart', { customer_id: String(other.ClientId), items: [] })
  await mismatch('POST', '/api/cart/merge-carts', { ...other, ...newGuest() })
  deepEqual(await view(other), theirs)
  equal((await me.call('POST', items, { OfferId: offer, Quantity: 1 })).status, 200)
  equal((await me.call('GET', items)).body.data.Items.length, 1)
})

test('the cart of another buyer gets the same 404 as an unknown cart', async () => {
  const me = await signedIn()
  const offer = await stock.offer()
  const { CartId: mine } = (await me.call('POST', items, { OfferId: offer, Quantity: 1 })).body.data
  const { CartId: theirs } = await put(newClient(), offer)
  const neighbour = `${mine.slice(0, -1)}${mine.endsWith('0') ? '1' : '0'}`
  const absent = await me.call('GET', `/v1/cart/${neighbour}`)
  const foreign = await me.call('GET', `/v1/cart/${theirs}`)
  const live = await call('GET', `/v1/cart/${theirs}`, { key: keys.live })
  /** Without the meta data and the id that the caller sent. */
  const comparable = ({ text }: Reply) => text.replace(/"meta".*/, '').replaceAll(/[0-9a-f-]{36}/g, '')
  for (const it of [absent, foreign, live]) {
    assertRefused('not_found', it)
    equal(comparable(it), comparable(absent))
    equal(it.text.length, absent.text.length)
  }
  assertRefused(
    'not_found',
    await me.call('POST', `/v1/cart/${theirs}/items`, { product_id: String(offer), quantity: 1 }),
  )
  equal((await me.call('GET', `/v1/cart/${mine}`)).body.data.cart.id, mine)
  equal((await call('GET', `/v1/cart/${theirs}`)).body.data.cart.id, theirs)
})

test('a key of a web or mobile application reads no cart of a client on any path', async () => {
  const key = await makeKey({ type: 'mobile' })
  const offer = await stock.offer()
  const client = newClient()
  const { CartId } = await put(client, offer)
  assertRefused('buyer_mismatch', await call('GET', `${items}?${queryOf(client)}`, { key }))
  assertRefused('not_found', await call('GET', `/v1/cart/${CartId}`, { key }))
  const guest = newGuest()
  const { CartId: guests } = (
    await call('POST', items, { key, body: { ...guest, OfferId: offer, Quantity: 1 } })
  ).body.data
  equal((await call('GET', `/v1/cart/${guests}`, { key })).status, 200)
})

test('an application names exactly one buyer, and all places of a request agree', async () => {
  const offer = await stock.offer()
  const both = { ...newClient(), ...newGuest() }
  for (const buyer of [{}, both]) {
    assertRefused('buyer_required', await add(buyer, offer))
    assertRefused('buyer_required', await call('GET', `${items}?${queryOf(buyer as BuyerName)}`))
    assertRefused('buyer_required', await call('DELETE', items, { body: buyer }))
    assertRefused(
      'buyer_required',
      await call('POST', '/api/cart/mini-app/items', { body: { ...buyer, OfferId: offer, Quantity: 1 } }),
    )
  }
  const [one, two] = [newClient(), newClient()]
  assertRefused('buyer_required', await call('DELETE', `${items}?${queryOf(one)}`, { body: two }))
  equal((await call('DELETE', `${items}?${queryOf(one)}`, { body: one })).status, 200)
  assertRefused('buyer_required', await call('POST', '/api/cart/merge-carts', { body: newClient() }))
})

test('a session id is 8 to 128 visible characters', async () => {
  const offer = await stock.offer()
  for (const SessionId of [
    'short',
    'x'.repeat(129),
    'x'.repeat(200_000),
    'with blank',
    'кириллица',
    'nul\u0000nul',
    '\ud800-broken-half',
    '',
  ])
    ok([400, 422].includes((await add({ SessionId }, offer)).status), SessionId.slice(0, 20))
  for (const SessionId of ['x'.repeat(8), 'x'.repeat(128), '!"#$%&()~'])
    equal((await add({ SessionId }, offer)).status, 200, SessionId)
  const issued = await call('POST', '/v1/auth/guest-session', { body: {} })
  const id = issued.body.data.session_id
  match(id, /[A-Za-z0-9_-]{22,}$/)
  equal((await add({ SessionId: id }, offer)).status, 200)
})

test('a malformed offer id in a path is 404 and never matches another path', async () => {
  const buyer = newClient()
  const before = await put(buyer, await stock.offer())
  for (const path of [items, '/api/cart/mini-app/items', moderatedItems])
    for (const id of [
      '0',
      '-1',
      '1e3',
      '01',
      '9223372036854775808',
      '1%00',
      '..%2f',
      '%2e%2e',
      '1.0',
      '%31%30x',
      ' ',
    ])
      assertRefused('not_found', await call('DELETE', `${path}/${id}?${queryOf(buyer)}`))
  deepEqual(await view(buyer), before)
})

test('the mini-app has the same cart and the same rules', async () => {
  const guest = newGuest()
  const offer = await stock.offer({ price: 100_000 })
  const mini = '/api/cart/mini-app/items'
  const reply = await call('POST', mini, { body: { ...guest, OfferId: offer, Quantity: 3 } })
  const [item] = reply.body.data.Items
  deepEqual(Object.keys(item), ['OfferId', 'Title', 'Price', 'Quantity', 'ImageUrl', 'IsAvailable', 'Reason'])
  deepEqual([reply.body.data.TotalAmount, reply.body.data.TotalItemsCount], [300_000, 3])
  assertRefused(
    'guest_limit_exceeded',
    await call('POST', mini, { body: { ...guest, OfferId: offer, Quantity: 1 } }),
  )
  assertRefused('guest_limit_exceeded', await add(guest, offer))
  deepEqual(await unitsOf(guest), { [offer]: 3 })
  deepEqual((await call('GET', `${mini}?${queryOf(guest)}`)).body.data, reply.body.data)
  const dear = await stock.offer({ price: 4_800_000 })
  assertRefused(
    'guest_limit_exceeded',
    await call('POST', mini, { body: { ...guest, OfferId: dear, Quantity: 1 } }),
  )
  deepEqual((await call('DELETE', `${mini}/${offer}?${queryOf(guest)}`)).body.data.Items, [])
})

test('ordinary paths do not find moderated offers, nor moderated paths ordinary ones', async () => {
  const buyer = newClient()
  const moderated = await stock.moderatedOffer({ id: 500_001 })
  const ordinary = await stock.offer({ id: 500_002 })
  assertRefused('not_found', await add(buyer, moderated))
  assertRefused('not_found', await carts.addModerated(buyer, ordinary))
  await put(buyer, ordinary)
  equal((await carts.addModerated(buyer, moderated)).status, 200)
  const before = await view(buyer)
  assertRefused('not_found', await carts.remove(buyer, moderated))
  assertRefused('not_found', await call('DELETE', `${moderatedItems}/${ordinary}?${queryOf(buyer)}`))
  assertRefused('not_found', await carts.setQuantity(buyer, moderated, 2))
  deepEqual(await view(buyer), before)
})

test('a loan condition of another offer or partner is refused, and the line is unchanged', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ loan_condition_ids: [3] })
  await put(buyer, offer, 1, { LoanConditionId: 3 })
  for (const id of [4, 5, 999]) {
    const details = assertRefused('loan_condition_unavailable', await carts.setCondition(buyer, offer, id))
    deepEqual(details.violations[0].remedy, { action: 'choose_loan_condition', loan_condition_ids: [3] })
    assertRefused('loan_condition_unavailable', await add(buyer, offer, 1, { LoanConditionId: id }))
  }
  equal((await view(buyer)).Items[0].LoanCondition.Id, 3)
  equal((await carts.setCondition(buyer, offer, null)).body.data.Items[0].LoanCondition, null)
})

test('a line shows the current price of its offer and a flag when the offer is unavailable', async () => {
  const buyer = newClient()
  const [one, two] = [await stock.offer({ price: 1_000 }), await stock.offer({ price: 500 })]
  await put(buyer, one, 2)
  const before = await put(buyer, two, 1)
  equal(before.TotalAmount, 2_500)
  await call('PATCH', `/v1/catalog/offers/${one}`, { body: { price_tiyin: 150_000 } })
  const dearer = await view(buyer)
  deepEqual([dearer.Items[0].Price, dearer.Items[0].PriceAtAdd, dearer.TotalAmount], [1_500, 1_000, 3_500])
  deepEqual(
    dearer.Items[0].PurchaseRestrictions.Messages.map((it: { Code: string; Severity: string }) => [
      it.Code,
      it.Severity,
    ]),
    [['price_changed', 'info']],
  )
  notEqual(dearer.Version, before.Version)
  await call('PATCH', `/v1/catalog/offers/${one}`, { body: { is_active: false } })
  const gone = await view(buyer)
  equal(gone.Items.length, 2)
  equal(gone.Items[0].PurchaseRestrictions.IsAvailable, false)
  deepEqual([gone.TotalAmount, gone.TotalItemsCount], [500, 1])
  await call('PATCH', `/v1/catalog/offers/${one}`, { body: { is_active: true, quantity: 1 } })
  const back = await view(buyer)
  deepEqual([back.TotalAmount, back.Items[0].Quantity], [3_500, 2])
  ok(back.Items[0].PurchaseRestrictions.Messages.some((it: { Code: string }) => it.Code === 'stock_lowered'))
})

test('a price change gives the view another ETag, and If-Match refuses the old one', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 1_000 })
  await put(buyer, offer)
  const path = `${items}?${queryOf(buyer)}`
  const tag = (await call('GET', path)).headers.get('etag')!
  equal((await call('GET', path, { headers: { 'if-none-match': tag } })).status, 304)
  await call('PATCH', `/v1/catalog/offers/${offer}`, { body: { price_tiyin: 90_000 } })
  const now = await call('GET', path, { headers: { 'if-none-match': tag } })
  equal(now.status, 200)
  notEqual(now.headers.get('etag'), tag)
  const body = { ...buyer, OfferId: offer, NewQuantity: 2 }
  const change = (ifMatch: string) =>
    call('PATCH', `${items}/quantity`, { body, headers: { 'if-match': ifMatch } })
  assertRefused('version_mismatch', await change(tag))
  const guarded = await change(now.headers.get('etag')!)
  equal(guarded.status, 200, guarded.text)
  assertRefused('version_mismatch', await change(now.headers.get('etag')!))
  assertRefused(
    'version_mismatch',
    await call('POST', items, {
      body: { ...buyer, OfferId: offer, Quantity: 1 },
      headers: { 'if-match': '"1"' },
    }),
  )
})

test('a cart holds at most 200 lines', async () => {
  const buyer = newClient()
  const offers = await Promise.all(times(200, () => stock.offer({ price: 1 })))
  const body = {
    customer_id: String(buyer.ClientId),
    items: offers.map((it) => ({ product_id: String(it), quantity: 1 })),
  }
  equal((await call('POST', '/v1/cart', { body })).status, 201)
  assertRefused('cart_full', await add(buyer, await stock.offer()))
  assertRefused('cart_full', await carts.addModerated(buyer, await stock.moderatedOffer()))
  equal((await view(buyer)).Items.length, 200)
  equal((await add(buyer, offers[0]!)).status, 200)
})
