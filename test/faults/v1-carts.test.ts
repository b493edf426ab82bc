// The cart by product and variant: which offer is chosen, and who reaches a cart by its id.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest, openCarts } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const { call, makeKey } = shop
const stock = await openStock(shop)
const { newClient } = openCarts(shop)

test('the cart of a guest is reached by its id only within the application that opened it', async () => {
  const [shopApp, other] = [await makeKey({ type: 'mobile' }), await makeKey({ type: 'web' })]
  const offer = await stock.offer()
  const guest = newGuest()
  const opened = await call('POST', '/v1/cart', {
    key: shopApp,
    body: { customer_id: guest.SessionId, items: [{ product_id: String(offer), quantity: 1 }] },
  })
  equal(opened.body.data.cart.customer_id, guest.SessionId, opened.text)
  const path = `/v1/cart/${opened.body.data.cart.id}`
  const body = { product_id: String(offer), quantity: 1 }
  assertRefused('not_found', await call('GET', path, { key: other }))
  assertRefused('not_found', await call('POST', `${path}/items`, { key: other, body }))
  const byId = await call('GET', path, { key: shopApp })
  equal(byId.body.data.cart.items_count, 1, byId.text)
  const added = await call('POST', `${path}/items`, { key: shopApp, body })
  equal(added.body.data.cart.items_count, 2, added.text)
  for (const reply of [byId, added]) ok(!reply.text.includes(guest.SessionId), reply.text)
  equal((await call('GET', path)).body.data.cart.customer_id, guest.SessionId)
})

test('a product in a cart is served by the best offer that has the units, and a size is never picked silently', async () => {
  const product = await stock.product(31_000)
  for (const id of [311, 312])
    await stock.load('variant', { id, product_id: product, name: { ru: `размер ${id}`, en: `size ${id}` } })
  const [cheap, dear] = [
    await stock.offer({ productId: product, variant_id: 311, price: 100, quantity: 2 }),
    await stock.offer({ productId: product, variant_id: 311, price: 120, quantity: 30 }),
  ]
  await stock.offer({ productId: product, variant_id: 312, price: 50 })
  const open = (quantity: number, more: object = { variant_id: '311' }) =>
    call('POST', '/v1/cart', {
      body: {
        customer_id: String(newClient().ClientId),
        items: [{ product_id: String(product), quantity, ...more }],
      },
    })
  const offerOf = (reply: Reply) => reply.body.data?.cart.items[0].offer_id
  equal(offerOf(await open(2)), String(cheap))
  equal(offerOf(await open(3)), String(dear))
  assertRefused('stock_exceeded', await open(31))
  const details = assertRefused('validation_failed', await open(1, {}))
  equal(details.fields[0].path, 'items.0.variant_id')
  deepEqual(
    details.variants.map((it: { id: string; name: { en: string } }) => [it.id, it.name.en]),
    [
      ['311', 'size 311'],
      ['312', 'size 312'],
    ],
  )
  const first = await open(2)
  const second = await call('POST', `/v1/cart/${first.body.data.cart.id}/items`, {
    body: { product_id: String(product), variant_id: '311', quantity: 1 },
  })
  deepEqual(
    second.body.data?.cart.items.map((it: { offer_id: string; quantity: number }) => [
      it.offer_id,
      it.quantity,
    ]),
    [
      [String(cheap), 2],
      [String(dear), 1],
    ],
  )
})

test('the cart of /v1 marks lines that cannot be ordered, and an order takes the total that it shows', async () => {
  const [good, out, gone] = [
    await stock.offer({ price: 1_000 }),
    await stock.offer({ price: 500, quantity: 5 }),
    await stock.offer({ price: 70 }),
  ]
  const opened = await call('POST', '/v1/cart', {
    body: {
      customer_id: String(newClient().ClientId),
      items: [good, out, gone].map((it) => ({ product_id: String(it), quantity: 2 })),
    },
  })
  const { id } = opened.body.data.cart
  await call('PATCH', `/v1/catalog/offers/${out}`, { body: { quantity: 0 } })
  await call('PATCH', `/v1/catalog/offers/${gone}`, { body: { is_active: false } })
  const { cart } = (await call('GET', `/v1/cart/${id}`)).body.data
  deepEqual(
    cart.items.map((it: { is_available: boolean; reason: string | null }) => [it.is_available, it.reason]),
    [
      [true, null],
      [false, 'out_of_stock'],
      [false, 'offer_unavailable'],
    ],
  )
  deepEqual([cart.total, cart.items_count], [{ amount: 200_000, currency: 'UZS' }, 2])
  const placed = await call('POST', '/v1/orders', {
    body: { cart_id: id, payment_method_id: 3, delivery_address: 'Toshkent', expected_total: cart.total },
  })
  equal(placed.status, 201, placed.text)
})
