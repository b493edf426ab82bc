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
const terms = cart.termsOf(readConfig({}))
const card = cart.paymentMethods[0]!
const shopperOf = (clientId: number): cart.Shopper => ({ terms, buyer: { kind: 'client', clientId } })
const ordinary = (offerId: number): cart.LineKey => ({ isModerated: false, offerId })

test('a cart is found by its id and by its client', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 300 })
  const { CartId } = await put(buyer, offer, 2)
  const byId = await cart.findCartById(db.read(), CartId)
  deepEqual([byId?.buyer, byId?.lines[0]?.quantity], [{ kind: 'client', clientId: buyer.ClientId }, 2])
  const { purchase } = await cart.shownBasket(db.read(), shopperOf(buyer.ClientId))
  deepEqual([purchase.sums.amountTiyin, cart.isForSale(purchase.entries[0]!.offer)], [60_000, true])
  equal(await cart.findCartById(db.read(), '019a4b1e-7c52-7d3a-9f10-2b6c8e4d5a77'), undefined)
})

test('a client’s cart, or chosen offers of it, are taken away once', async () => {
  const buyer = newClient()
  const [one, two] = [await stock.offer(), await stock.offer()]
  await put(buyer, one)
  const { CartId } = await put(buyer, two)
  for (const _ of [1, 2])
    await db.transaction((tx) =>
      cart.removeOffers(tx, terms, { clientId: buyer.ClientId, offerIds: [one, 777] }),
    )
  deepEqual(await unitsOf(buyer), { [two]: 1 })
  for (const _ of [1, 2]) await db.transaction((tx) => cart.removeCart(tx, buyer.ClientId))
  equal((await view(buyer)).CartId, null)
  const told = (await carts.factsOf(CartId)).map((it) => it.type).slice(3)
  deepEqual(told, ['ItemRemovedFromCart', 'CartRemoved'])
})

test('ordering judges chosen lines at prices of the moment and takes them out of the cart', async () => {
  const buyer = newClient()
  const shopper = shopperOf(buyer.ClientId)
  const [one, two, gone] = [await stock.offer({ price: 100 }), await stock.offer(), await stock.offer()]
  for (const it of [one, two, gone]) await put(buyer, it, 2)
  await stock.offer({ id: one, productId: one, price: 150 })
  await stock.offer({ id: gone, productId: gone, is_active: false })
  await db.transaction(async (tx) => {
    const before = await cart.orderBasket(tx, shopper, [ordinary(one), ordinary(gone)])
    equal(before.cart?.lines.length, 3)
    equal(before.purchase.sums.amountTiyin, 30_000)
    deepEqual(cart.brokenAtOrder(before.purchase, card), [])
    deepEqual(
      before.purchase.entries
        .filter((it) => !cart.isForSale(it.offer))
        .map((it) => cart.offerIsNotForSale(it).code),
      ['offer_unavailable'],
    )
    cart.takeOrderedLines(tx, before.cart!, [ordinary(one)])
  })
  deepEqual(await unitsOf(buyer), { [two]: 2, [gone]: 2 })
})

test('two orders of one client at once cannot both fit under his limit', async () => {
  const buyer = newClient()
  const shopper = shopperOf(buyer.ClientId)
  const offer = await stock.offer({ price: 30_000_000 })
  await put(buyer, offer)
  const order = () =>
    db.transaction(async (tx) => {
      const { purchase } = await cart.orderBasket(tx, shopper)
      cart.refuseIf(cart.brokenAtOrder(purchase, card))
      cart.notePurchase(tx, {
        clientId: buyer.ClientId,
        day: terms.dayOf(tx.now),
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
  const day = terms.dayOf(db.clock.now())
  const owed = { clientId: buyer.ClientId, day, lines: [], creditTiyin: 3_000_000_000 }
  await db.transaction(async (tx) => cart.notePurchase(tx, owed))
  equal((await carts.add(buyer, offer, 1, { LoanConditionId: 3 })).status, 422)
  await db.transaction(async (tx) => cart.noteRepayment(tx, buyer.ClientId, 1_000_000_000))
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
      cart
        .brokenAtOrder((await cart.orderBasket(tx, shopperOf(clientId))).purchase, card)
        .map((it) => it.code),
    )
  deepEqual(await codes(late.ClientId), ['stock_exceeded'])
  deepEqual(await codes(holder.ClientId), [])
})
