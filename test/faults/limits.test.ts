// L2 to L6 for carts: purchases count towards limits, and no path bypasses them.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { countPurchase, uncountPurchase } from '../../src/cart/index.ts'
import { newGuest, openCarts } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { waitUntil } from '../support/wait-until.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const carts = openCarts(shop)
const { add, put, newClient } = carts
const { call } = shop
const { db } = shop.app.shops.test

const dayOf = (at: Date) => at.toLocaleDateString('en-CA', { timeZone: 'Asia/Tashkent' })
const today = () => dayOf(db.clock.now())
/** Records a purchase like an order: amount in sums and units of a product. */
const bought = (
  clientId: number,
  it: { productId: number; units: number; amount: number; day?: string; credit?: number },
) => ({
  clientId,
  day: it.day ?? today(),
  lines: [{ productId: it.productId, units: it.units, amountTiyin: it.amount * 100 }],
  creditTiyin: (it.credit ?? 0) * 100,
})
const buy = (it: ReturnType<typeof bought>) => db.transaction(async (tx) => countPurchase(tx, it))

test('purchases of the day and of thirty days count towards the limits of the cart', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 1_000_000 })
  await buy(bought(buyer.ClientId, { productId: offer, units: 26, amount: 47_500_000 }))
  const amounts = assertRefused('purchase_limit_exceeded', await add(buyer, offer, 3)).violations
  deepEqual(amounts, [
    {
      code: 'purchase_limit_exceeded',
      limit: 50_000_000,
      used: 47_500_000,
      requested: 3_000_000,
      remedy: { action: 'set_quantity', quantity: 2 },
    },
  ])
  await put(buyer, offer, 2)
  const cheap = await stock.offer({ price: 1, productId: offer })
  const units = assertRefused('product_limit_exceeded', await add(buyer, cheap, 3)).violations
  deepEqual(units[0], {
    code: 'product_limit_exceeded',
    offer_id: cheap,
    limit: 30,
    used: 26,
    requested: 5,
    remedy: { action: 'set_quantity', quantity: 2 },
  })
})

test('mini-app, moderated items, products and merges use the same limits', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 1_000_000 })
  const moderated = await stock.moderatedOffer({ price: 1_000_000 })
  await buy(bought(buyer.ClientId, { productId: 1, units: 1, amount: 50_000_000 }))
  const body = { ...buyer, OfferId: offer, Quantity: 1 }
  assertRefused('purchase_limit_exceeded', await call('POST', '/api/cart/mini-app/items', { body }))
  assertRefused('purchase_limit_exceeded', await carts.addModerated(buyer, moderated))
  const items = [{ product_id: String(offer), quantity: 1 }]
  assertRefused(
    'purchase_limit_exceeded',
    await call('POST', '/v1/cart', { body: { customer_id: String(buyer.ClientId), items } }),
  )
  const guest = newGuest()
  await put(guest, offer)
  const [line] = (await carts.merge(guest.SessionId, buyer.ClientId)).body.data.Merge
  deepEqual([line.Kept, line.Dropped, line.Reason], [0, 1, 'purchase_limit_exceeded'])
})

test('a cancelled order restores the limit', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 10_000_000, loan_condition_ids: [3] })
  const order = bought(buyer.ClientId, { productId: offer, units: 5, amount: 50_000_000, credit: 25_000_000 })
  await buy(order)
  assertRefused('purchase_limit_exceeded', await add(buyer, offer))
  await db.transaction(async (tx) => uncountPurchase(tx, order))
  await put(buyer, offer, 3, { LoanConditionId: 3 })
})

test('outstanding credit reduces what can be bought on credit and nothing else', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 6_000_000, loan_condition_ids: [3] })
  await buy(bought(buyer.ClientId, { productId: 1, units: 1, amount: 1, credit: 25_000_000 }))
  const details = assertRefused('credit_limit_exceeded', await add(buyer, offer, 1, { LoanConditionId: 3 }))
  deepEqual(details.violations[0].remedy, { action: 'clear_loan_condition' })
  await put(buyer, offer)
  assertRefused('credit_limit_exceeded', await carts.setCondition(buyer, offer, 3))
})

test('changed limits apply at once in this process and within a second in others', async () => {
  const other = await openPlatform({ connection: shop.connection })
  const offer = await stock.offer()
  const guest = newGuest()
  const before = await call('GET', '/v1/admin/limits')
  equal(before.body.data.limits.guest_units_per_product, 3)
  const body = { ...guest, OfferId: offer, Quantity: 4 }
  assertRefused(
    'guest_limit_exceeded',
    await other.call('POST', '/api/cart/items', { body, key: shop.keys.test }),
  )
  const changed = await call('PATCH', '/v1/admin/limits', {
    body: { guest_units_per_product: 4 },
    headers: { 'if-match': before.headers.get('etag')! },
  })
  equal(changed.body.data.limits.guest_units_per_product, 4, changed.text)
  await waitUntil(
    async () => (await other.call('POST', '/api/cart/items', { body, key: shop.keys.test })).status === 200,
  )
  assertRefused('guest_limit_exceeded', await add(guest, offer))
  const stale = { body: { guest_units_per_product: 9 }, headers: { 'if-match': before.headers.get('etag')! } }
  assertRefused('version_mismatch', await call('PATCH', '/v1/admin/limits', stale))
  assertRefused('validation_failed', await call('PUT', '/v1/admin/limits', { body: { credit_tiyin: 1 } }))
  assertRefused(
    'validation_failed',
    await call('PATCH', '/v1/admin/limits', { body: { guest_units_per_product: 0 } }),
  )
  const published = await db.read().all(`select 1 from outbox_events where type = 'LimitsChanged'`)
  equal(published.length, 1)
})

test('a cart above new limits can still be reduced', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 1_000 })
  await put(buyer, offer, 9)
  const { limits } = (await call('GET', '/v1/admin/limits')).body.data
  await call('PATCH', '/v1/admin/limits', { body: { product_units_per_order: 2, daily_amount_tiyin: 100 } })
  const seen = await carts.view(buyer)
  deepEqual(
    seen.Messages.map((it: { Code: string }) => it.Code),
    ['product_limit_exceeded', 'purchase_limit_exceeded'],
  )
  equal((await carts.setQuantity(buyer, offer, 5)).status, 200)
  assertRefused('product_limit_exceeded', await carts.setQuantity(buyer, offer, 6))
  equal((await carts.remove(buyer, offer)).status, 200)
  const { updated_at: _, ...record } = limits
  equal((await call('PUT', '/v1/admin/limits', { body: record })).status, 200)
})

// Moves the clock, so it is last.
test('a day ends at midnight in the time zone of the shop, whatever zone the caller sends', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 1_000_000 })
  const now = db.clock.now()
  const midnight = new Date(`${dayOf(new Date(now.getTime() + 2 * 86_400_000))}T00:00:00+05:00`)
  const seconds = Math.floor((midnight.getTime() - now.getTime()) / 1000) - 60
  await call('POST', '/v1/test/clock', { body: { advance: `PT${seconds}S` } })
  await buy(bought(buyer.ClientId, { productId: 1, units: 1, amount: 50_000_000 }))
  for (const zone of ['Pacific/Auckland', 'America/Los_Angeles', 'UTC'])
    assertRefused(
      'purchase_limit_exceeded',
      await call('POST', '/api/cart/items', {
        body: { ...buyer, OfferId: offer, Quantity: 1 },
        headers: { 'x-timezone': zone },
      }),
    )
  await call('POST', '/v1/test/clock', { body: { advance: 'PT2M' } })
  await put(buyer, offer)
})
