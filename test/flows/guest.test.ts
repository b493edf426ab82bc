// A guest fills a cart in a mobile application, signs up, and finds everything in the cart of the account.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openCarts } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { eventsOf } = openCarts(shop)
const items = '/api/cart/items'

test('a guest fills a cart and has it after signing up', async () => {
  const key = await shop.makeKey({ type: 'mobile', scopes: ['catalog:read', 'cart:read', 'cart:write'] })
  const phone = await stock.offer({
    price: 1_000_000,
    quantity: 5,
    loan_condition_ids: [3],
    reservation_minutes: 30,
  })
  const cover = await stock.offer({ price: 45_000.5 })
  const cable = await stock.offer({ price: 30_000 })
  const watch = await stock.moderatedOffer({
    id: 70_001,
    price: 350_000,
    status: 'pending',
    uuid: '0f0e6f6e-27f1-4c11-9a53-3f7f1f3f7a01',
  })
  await stock.load('exchange_rate', { currency: 'USD', tiyin: 1_250_000 })

  const { session_id: SessionId } = (await shop.call('POST', '/v1/auth/guest-session', { body: {} })).body
    .data
  const guest = { SessionId }
  const asGuest = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    shop.call(method, path, { key, headers: { 'accept-language': 'en', ...headers }, ...(body && { body }) })

  await asGuest('POST', items, { ...guest, OfferId: phone, Quantity: 1 })
  await asGuest('POST', items, { ...guest, OfferId: cover, Quantity: 2 })
  await asGuest('POST', items, { ...guest, OfferId: cable, Quantity: 1 })
  const moderated = await asGuest('POST', '/api/cart/moderated-items', {
    ...guest,
    ModeratedOfferId: '0f0e6f6e-27f1-4c11-9a53-3f7f1f3f7a01',
    Quantity: 1,
  })
  const full = moderated.body.data
  deepEqual([full.TotalAmount, full.TotalItemsCount], [1_120_001, 4])
  equal(full.ModeratedItems[0].ModeratedOfferId, watch)
  equal(full.ModeratedItems[0].ModerationStatus, 'pending')
  deepEqual(
    full.ModeratedItems[0].PurchaseRestrictions.Messages.map((it: { Code: string }) => it.Code),
    ['moderation_pending'],
  )
  ok(full.ExpiresAt)

  assertRefused(
    'guest_limit_exceeded',
    await asGuest('PATCH', `${items}/quantity`, { ...guest, OfferId: phone, NewQuantity: 4 }),
  )
  const two = await asGuest('PATCH', `${items}/quantity`, { ...guest, OfferId: phone, NewQuantity: 2 })
  deepEqual(
    two.body.data.AvailablePaymentMethods.map((it: { Code: string; Reason: string }) => [it.Code, it.Reason]),
    [
      ['card', 'authorization_required'],
      ['installment', 'payment_method_not_allowed'],
      ['cash_on_delivery', 'authorization_required'],
      ['daily_payment', 'payment_method_not_allowed'],
    ],
  )
  await asGuest('DELETE', `${items}/${cable}?SessionId=${SessionId}`)
  const dollars = await asGuest('GET', `${items}?SessionId=${SessionId}`, undefined, { 'x-currency': 'USD' })
  deepEqual(
    [dollars.body.data.Currency, dollars.body.data.Items[0].Price, dollars.body.data.TotalAmount],
    ['USD', 80, 167.2],
  )

  const joined = await shop.call('POST', '/v1/auth/register', {
    body: { name: 'Dilnoza', phone: '+998901112233', password: 'a phrase that is hard to guess' },
    headers: { origin: shop.url },
  })
  equal(joined.status, 201, joined.text)
  const cookie = joined.headers.get('set-cookie')!.split(';')[0]!
  const asClient = (method: string, path: string, body?: object) =>
    shop.call(method, path, { key: null, headers: { cookie, origin: shop.url }, ...(body && { body }) })
  equal((await asClient('GET', items)).body.data.CartId, null)
  const merged = await asClient('POST', '/api/cart/merge-carts', guest)
  equal(merged.status, 200, merged.text)
  deepEqual(
    merged.body.data.Merge.map((it: { Kept: number; Dropped: number }) => [it.Kept, it.Dropped]),
    [
      [2, 0],
      [2, 0],
      [1, 0],
    ],
  )
  equal(merged.body.data.ExpiresAt, null)
  equal((await asGuest('GET', `${items}?SessionId=${SessionId}`)).body.data.CartId, null)

  const lent = await asClient('PATCH', `${items}/condition`, { OfferId: phone, LoanConditionId: 3 })
  equal(lent.body.data.Items[0].LoanCondition.MonthlyRepayment, 206_666.67)
  const { CartId } = lent.body.data
  const v1 = await asClient('GET', `/v1/cart/${CartId}`)
  deepEqual(v1.body.data.cart.total, { amount: 209_000_100, currency: 'UZS' })
  equal(v1.body.data.cart.items[0].offer_id, String(phone))
  const events = (await eventsOf(CartId)).map((it) => it.type)
  deepEqual(events, [
    'CartCreated',
    'ItemAddedToCart',
    'ItemAddedToCart',
    'ModeratedItemAddedToCart',
    'CartsMerged',
    'CartItemChanged',
  ])
  const secrets = await shop.app.shops.test.db
    .read()
    .all(`select type from outbox_events where fields::text like $1`, [`%${SessionId}%`])
  deepEqual(
    secrets,
    [{ type: 'CartCreated' }],
    'a session id gives access to a cart: no other event may contain it',
  )
})

test('an item given by product and variant adds the best offer to the same cart', async () => {
  const product = await stock.product(9_000)
  await stock.load('variant', { id: 90, product_id: product, name: { ru: 'красный' } })
  const dear = await stock.offer({ productId: product, price: 200, variant_id: 90 })
  const cheap = await stock.offer({ productId: product, price: 100, partnerId: 2, variant_id: 90 })
  await stock.offer({ productId: product, price: 50, quantity: 0, variant_id: 90 })
  const body = {
    customer_id: '4242',
    items: [{ product_id: String(product), variant_id: '90', quantity: 2 }],
  }
  const opened = await shop.call('POST', '/v1/cart', { body })
  equal(opened.status, 201, opened.text)
  const { cart } = opened.body.data
  deepEqual(
    [cart.customer_id, cart.items[0].offer_id, cart.items[0].unit_price.amount, cart.items_count],
    ['4242', String(cheap), 10_000, 2],
  )
  const again = await shop.call('POST', '/v1/cart', { body })
  deepEqual([again.status, again.body.data.cart.items[0].quantity], [200, 4])
  await shop.call('PATCH', `/v1/catalog/offers/${cheap}`, { body: { quantity: 0 } })
  const more = await shop.call('POST', `/v1/cart/${cart.id}/items`, { body: body.items[0]! })
  deepEqual(
    more.body.data.cart.items.map((it: { offer_id: string }) => it.offer_id),
    [String(cheap), String(dear)],
  )
  const one = (product_id: string, variant_id: string | null = null) =>
    shop.call('POST', `/v1/cart/${cart.id}/items`, { body: { product_id, variant_id, quantity: 1 } })
  assertRefused('not_found', await one('999999'))
  assertRefused('not_found', await one(String(product), '91'))
  await shop.call('PATCH', `/v1/catalog/offers/${dear}`, { body: { is_active: false } })
  assertRefused('offer_unavailable', await one(String(product)))
})
