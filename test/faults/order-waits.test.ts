// O7, O8, S2 and I1 with a held lock: an offer is changed, and the change commits only when an order waits for it.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/base/config.ts'
import type { Tx } from '../../src/base/database.ts'
import { changeOffer } from '../../src/catalog/offers/load-offers.ts'
import { decideModeration } from '../../src/catalog/offers/moderation.ts'
import { cartSettings, lockCartForOrder } from '../../src/cart/index.ts'
import { moveStock } from '../../src/catalog/index.ts'
import { openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const { stock } = shop
const { db } = platform.app.shops.test

const isLockAwaited = async (): Promise<boolean> =>
  (
    await db
      .read()
      .all(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length > 0

/** The reply to a call that starts while a change is uncommitted and waits for its commit. */
async function during(change: (tx: Tx) => Promise<unknown>, call: () => Promise<Reply>): Promise<Reply> {
  let reply: Promise<Reply>
  let isAnswered = false
  await db.transaction(async (tx) => {
    await change(tx)
    reply = call().finally(() => (isAnswered = true))
    await waitUntil(async () => isAnswered || isLockAwaited())
  })
  return reply!
}

test('an order that waits for an offer uses the price that was changed meanwhile', async () => {
  const [offer, other] = [await stock.offer({ price: 1_000 }), await stock.offer({ price: 10 })]
  const buyer = shop.newClient()
  await shop.put(buyer, offer, 2)
  await shop.put(buyer, other)
  const made = await during(
    (tx) => changeOffer(tx, offer, { priceTiyin: 150_000 }),
    () => shop.order(buyer),
  )
  equal(made.status, 201, made.text)
  equal(made.body.data.TotalAmount, 3_010)
  deepEqual(
    made.body.data.Orders[0].Items.map((it: { Price: number }) => it.Price),
    [1_500, 10],
  )
  equal((await shop.get(made.body.data.OrderIds[0])).total.amount, 301_000)
})

test('a promotion planned while an order waits for an offer applies to all lines or to none', async () => {
  const partnerId = 77
  await stock.load('partner', { id: partnerId, slug: 'promoted', name: 'Promoted' })
  const [ordinary, moderated] = [
    await stock.offer({ partnerId, price: 1_000 }),
    await stock.moderatedOffer({ partnerId, price: 1_000 }),
  ]
  const buyer = shop.newClient()
  await shop.put(buyer, ordinary)
  await shop.addModerated(buyer, moderated)
  let reply: Promise<Reply>
  await db.transaction(async (tx) => {
    await tx.all(`select 1 from catalog_offers where id = $1 for update`, [ordinary])
    reply = shop.order(buyer)
    await waitUntil(isLockAwaited)
    const begun = new Date(tx.now.getTime() - 60_000).toISOString()
    const about = { partner_ids: [partnerId], discount_percent: 50, starts_at: begun }
    await stock.load('promotion', { id: 1, slug: 'meanwhile', title: 'Акция', ...about })
  })
  const made = await reply!
  equal(made.status, 201, made.text)
  const prices = made.body.data.Orders[0].Items.map((it: { Price: number }) => it.Price)
  deepEqual(prices, [500, 500])
})

test('an order is refused when a price changed meanwhile exceeds the daily amount', async () => {
  const offer = await stock.offer({ price: 1_000 })
  const buyer = shop.newClient()
  await shop.put(buyer, offer)
  const refused = await during(
    (tx) => changeOffer(tx, offer, { priceTiyin: 5_000_000_001 }),
    () => shop.order(buyer),
  )
  assertRefused('purchase_limit_exceeded', refused)
  deepEqual(await shop.unitsOf(buyer), { [offer]: 1 })
})

test('an offer deactivated while an order waits for it stays in the cart, or refuses an order that selects it', async () => {
  const [offer, other] = [await stock.offer(), await stock.offer({ price: 10 })]
  const [whole, choosing] = [shop.newClient(), shop.newClient()]
  for (const buyer of [whole, choosing]) for (const it of [offer, other]) await shop.put(buyer, it)
  const made = await during(
    (tx) => changeOffer(tx, offer, { isActive: false }),
    () => shop.order(whole),
  )
  equal(made.status, 201, made.text)
  deepEqual(made.body.data.Skipped, [{ OfferId: offer, Quantity: 1, Reason: 'offer_unavailable' }])
  deepEqual([made.body.data.TotalAmount, await shop.unitsOf(whole)], [10, { [offer]: 1 }])
  await db.transaction((tx) => changeOffer(tx, offer, { isActive: true }))
  const refused = await during(
    (tx) => changeOffer(tx, offer, { isActive: false }),
    () => shop.orderSome(choosing, [offer, other]),
  )
  assertRefused('offer_unavailable', refused)
  deepEqual(await shop.unitsOf(choosing), { [offer]: 1, [other]: 1 })
})

test('an order is refused with the remaining stock when the stock falls meanwhile', async () => {
  const [offer, other] = [await stock.offer({ quantity: 5 }), await stock.offer()]
  const buyer = shop.newClient()
  await shop.put(buyer, offer, 3)
  await shop.put(buyer, other)
  const refused = await during(
    (tx) => changeOffer(tx, offer, { quantity: 2 }),
    () => shop.order(buyer),
  )
  equal(assertRefused('stock_exceeded', refused).violations[0].available, 2)
  deepEqual([await shop.onHand(offer), await shop.onHand(other)], [2, 100])
})

test('a moderated offer rejected while an order waits for it is not sold', async () => {
  const [moderated, other] = [
    await stock.moderatedOffer({ id: 700_001, status: 'pending', quantity: 5 }),
    await stock.offer(),
  ]
  const buyer = shop.newClient()
  equal((await shop.addModerated(buyer, moderated)).status, 200)
  await shop.put(buyer, other)
  const made = await during(
    (tx) =>
      decideModeration(tx, { id: moderated, step: 'reject', reason: 'forged', by: 'x', ifMatch: undefined }),
    () => shop.order(buyer),
  )
  equal(made.status, 201, made.text)
  deepEqual(made.body.data.Skipped, [
    { ModeratedOfferId: moderated, Quantity: 1, Reason: 'offer_unavailable' },
  ])
})

test('units sold while a reservation waits for them are not reserved', async () => {
  const offer = await stock.offer({ quantity: 3, reservation_minutes: 30 })
  const [faster, late] = [shop.newClient(), shop.newClient()]
  await shop.put(faster, offer, 3)
  await db.transaction((tx) =>
    tx.all(`update cart_items set reserved_until = null where offer_id = $1`, [offer]),
  )
  const settings = cartSettings(readConfig({}))
  const refused = await during(
    async (tx) => {
      await lockCartForOrder(tx, { buyer: { kind: 'client', clientId: faster.ClientId }, settings })
      await moveStock(tx, [{ kind: 'offer', offerId: offer, change: -3 }], {
        cause: 'ordered',
        reference: null,
      })
      await tx.all('select 1')
    },
    () => shop.add(late, offer, 2),
  )
  equal(assertRefused('stock_exceeded', refused).violations[0].available, 0)
  deepEqual(await shop.unitsOf(late), {})
})
