// Concurrent orders, and changes of carts, prices and stock while a cart is ordered.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { statuses, times } from '../support/carts.ts'
import { openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const shop = await openOrdering(platform)
const { stock } = shop

test('twenty concurrent orders with one key are one order with the same bytes', async () => {
  const offer = await stock.offer({ quantity: 5 })
  const buyer = shop.newClient()
  await shop.put(buyer, offer, 2)
  const headers = { 'idempotency-key': 'click-click' }
  const replies = await Promise.all(times(20, () => shop.order(buyer, {}, { headers })))
  deepEqual(statuses(replies), { 201: 20 })
  equal(new Set(replies.map((it) => it.text)).size, 1)
  equal(await shop.onHand(offer), 3)
})

test('of two concurrent orders of one cart without a key one succeeds and the other gets cart_empty', async () => {
  const offer = await stock.offer({ quantity: 10 })
  const buyer = shop.newClient()
  await shop.put(buyer, offer, 2)
  const replies = await Promise.all(times(6, () => shop.order(buyer)))
  deepEqual(statuses(replies), { 201: 1, 422: 5 })
  for (const it of replies.filter(({ status }) => status === 422)) assertRefused('cart_empty', it)
  equal(await shop.onHand(offer), 8)
})

test('an item added while the cart is ordered is in the order and its total, or still in the cart', async () => {
  for (let round = 0; round < 10; round++) {
    const [cheap, dear] = [await stock.offer({ price: 1_000 }), await stock.offer({ price: 1_000_000 })]
    const buyer = shop.newClient()
    await shop.put(buyer, cheap)
    const [made, added] = await Promise.all([shop.order(buyer), shop.add(buyer, dear)])
    equal(added.status, 200)
    const { TotalAmount, Orders } = made.body.data
    const ordered = Orders.flatMap((it: { Items: { OfferId: number }[] }) =>
      it.Items.map((one) => one.OfferId),
    )
    const held = Object.keys(await shop.unitsOf(buyer)).map(Number)
    deepEqual(
      [...ordered, ...held].toSorted((a, b) => a - b),
      [cheap, dear],
    )
    equal(TotalAmount, ordered.includes(dear) ? 1_001_000 : 1_000)
  }
})

test('of 64 buyers who order the last 10 units at once 10 succeed and the others keep their carts', async () => {
  for (let round = 0; round < 3; round++) {
    const offer = await stock.offer({ quantity: 10 })
    const buyers = times(64, () => shop.newClient())
    await Promise.all(buyers.map((it) => shop.put(it, offer)))
    const replies = await Promise.all(buyers.map((it) => shop.order(it)))
    deepEqual(statuses(replies), { 201: 10, 422: 54 })
    equal(await shop.onHand(offer), 0)
    for (const [at, reply] of replies.entries()) {
      const held = await shop.unitsOf(buyers[at]!)
      if (reply.status === 201) deepEqual(held, {})
      else {
        equal(assertRefused('nothing_orderable', reply).violations[1].available, 0)
        deepEqual(held, { [offer]: 1 })
      }
    }
  }
})

test('concurrent orders of the same offers in different sequence do not deadlock', async () => {
  const offers = await Promise.all(times(6, () => stock.offer({ quantity: 1_000 })))
  const buyers = times(30, () => shop.newClient())
  for (const [at, buyer] of buyers.entries())
    for (const offer of at % 2 ? offers : offers.toReversed()) await shop.put(buyer, offer)
  const replies = await Promise.all(buyers.map((it) => shop.order(it)))
  deepEqual(statuses(replies), { 201: 30 })
  for (const offer of offers) equal(await shop.onHand(offer), 970)
})

test('a quantity changed while the cart is ordered is sold and charged as committed', async () => {
  for (let round = 0; round < 10; round++) {
    const offer = await stock.offer({ price: 1_000, quantity: 5 })
    const buyer = shop.newClient()
    await shop.put(buyer, offer, 1)
    const [made] = await Promise.all([shop.order(buyer), shop.setQuantity(buyer, offer, 5)])
    const { Quantity, Amount } = made.body.data.Orders[0].Items[0]
    equal(Amount, Quantity * 1_000)
    equal(await shop.onHand(offer), 5 - Quantity)
  }
})

test('a price changed while the cart is ordered is the same in line and total', async () => {
  const offer = await stock.offer({ id: 900_001, price: 1_000 })
  for (let round = 0; round < 10; round++) {
    const buyer = shop.newClient()
    await shop.put(buyer, offer, 2)
    const price = 1_000 + round
    const [made] = await Promise.all([
      shop.order(buyer),
      stock.load('offer', {
        id: offer,
        product_id: offer,
        partner_id: 1,
        price_tiyin: price * 100,
        quantity: 100,
      }),
    ])
    const { TotalAmount, Orders } = made.body.data
    const [line] = Orders[0].Items
    equal(TotalAmount, line.Price * 2)
    ok(line.Price === price || line.Price === Math.max(1_000, price - 1), String(line.Price))
  }
})
