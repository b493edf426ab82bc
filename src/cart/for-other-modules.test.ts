// What the cart does for other modules: details, removal, and everything that ordering needs.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openCarts } from '../../test/support/carts.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { openStock } from '../../test/support/stock.ts'
import { readConfig } from '../base/config.ts'
import * as cart from './index.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const carts = openCarts(shop)
const { put, view, unitsOf, newClient } = carts
const { db } = shop.app.shops.test
const settings = cart.cartSettings(readConfig({}))
const card = cart.paymentMethods[0]!
const shopperOf = (clientId: number): cart.Shopper => ({ settings, buyer: { kind: 'client', clientId } })
const ordinary = (offerId: number): cart.LineKey => ({ isModerated: false, offerId })

test('a cart is found by its id and by its client', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 300 })
  const { CartId } = await put(buyer, offer, 2)
  const byId = await cart.findCartById(db.read(), CartId)
  deepEqual([byId?.buyer, byId?.lines[0]?.quantity], [{ kind: 'client', clientId: buyer.ClientId }, 2])
  const priced = await cart.viewCart(db.read(), shopperOf(buyer.ClientId))
  deepEqual([priced.totals.amountTiyin, cart.isAvailable(priced.lines[0]!)], [60_000, true])
  equal(await cart.findCartById(db.read(), '019a4b1e-7c52-7d3a-9f10-2b6c8e4d5a77'), undefined)
})

test('a client’s cart, or chosen offers of it, are taken away once', async () => {
  const buyer = newClient()
  const [one, two] = [await stock.offer(), await stock.offer()]
  await put(buyer, one)
  const { CartId } = await put(buyer, two)
  for (const _ of [1, 2])
    await db.transaction((tx) =>
      cart.removeOffers(tx, settings, { clientId: buyer.ClientId, offerIds: [one, 777] }),
    )
  deepEqual(await unitsOf(buyer), { [two]: 1 })
  for (const _ of [1, 2]) await db.transaction((tx) => cart.removeCart(tx, buyer.ClientId))
  equal((await view(buyer)).CartId, null)
  const published = (await carts.eventsOf(CartId)).map((it) => it.type).slice(3)
  deepEqual(published, ['ItemRemovedFromCart', 'CartRemoved'])
})

test('ordering judges chosen lines at prices of the moment and takes them out of the cart', async () => {
  const buyer = newClient()
  const shopper = shopperOf(buyer.ClientId)
  const [one, two, gone] = [await stock.offer({ price: 100 }), await stock.offer(), await stock.offer()]
  for (const it of [one, two, gone]) await put(buyer, it, 2)
  await stock.offer({ id: one, productId: one, price: 150 })
  await stock.offer({ id: gone, productId: gone, is_active: false })
  await db.transaction(async (tx) => {
    const before = await cart.lockCartForOrder(tx, shopper, { chosen: [ordinary(one), ordinary(gone)] })
    equal(before.cart?.lines.length, 3)
    equal(before.totals.amountTiyin, 30_000)
    deepEqual(cart.brokenAtOrder(before, card), [])
    deepEqual(
      cart.leftOut(cart.splitLines(before.lines).left).map((it) => it.code),
      ['offer_unavailable'],
    )
    cart.removeOrderedLines(tx, before.cart!, [ordinary(one)])
  })
  deepEqual(await unitsOf(buyer), { [two]: 2, [gone]: 2 })
})

test('two concurrent orders of one client cannot both fit under the limit', async () => {
  const buyer = newClient()
  const shopper = shopperOf(buyer.ClientId)
  const offer = await stock.offer({ price: 30_000_000 })
  await put(buyer, offer)
  const order = () =>
    db.transaction(async (tx) => {
      const priced = await cart.lockCartForOrder(tx, shopper)
      cart.refuseIf(cart.brokenAtOrder(priced, card))
      cart.countPurchase(tx, {
        clientId: buyer.ClientId,
        day: settings.dayOf(tx.now),
        lines: [{ productId: offer, units: 1, amountTiyin: 3_000_000_000 }],
        creditTiyin: 0,
      })
    })
  const done = await Promise.allSettled([order(), order(), order(), order()])
  equal(done.filter((it) => it.status === 'fulfilled').length, 1)
  ok(done.every((it) => it.status === 'fulfilled' || it.reason.code === 'purchase_limit_exceeded'))
})

test('credit that is paid back can be taken again', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 10_000_000, loan_condition_ids: [3] })
  const day = settings.dayOf(db.clock.now())
  const owed = { clientId: buyer.ClientId, day, lines: [], creditTiyin: 3_000_000_000 }
  await db.transaction(async (tx) => cart.countPurchase(tx, owed))
  equal((await carts.add(buyer, offer, 1, { LoanConditionId: 3 })).status, 422)
  await db.transaction(async (tx) => cart.countRepayment(tx, buyer.ClientId, 1_000_000_000))
  equal((await carts.add(buyer, offer, 1, { LoanConditionId: 3 })).status, 200)
})

test('what others have reserved cannot be ordered, and what the buyer reserved can', async () => {
  const [holder, late] = [newClient(), newClient()]
  const offer = await stock.offer({ quantity: 3, reservation_minutes: 30 })
  await stock.offer({ id: offer, productId: offer, quantity: 6, reservation_minutes: 30 })
  await put(late, offer, 4)
  await db.transaction((tx) =>
    tx.all(`update cart_items set reserved_until = null where offer_id = $1`, [offer]),
  )
  await put(holder, offer, 3)
  const codes = (clientId: number) =>
    db.transaction(async (tx) =>
      cart.brokenAtOrder(await cart.lockCartForOrder(tx, shopperOf(clientId)), card).map((it) => it.code),
    )
  deepEqual(await codes(late.ClientId), ['stock_exceeded'])
  deepEqual(await codes(holder.ClientId), [])
})
