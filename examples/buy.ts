// A buyer's journey: browse, search, recommendations, guest cart, sign-in with merge, order, test card, verified webhook.
// Run `npm start`, then: BOZOR_KEY=ak_test_… npx node examples/buy.ts

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createBozor, type Event, verifyWebhook } from 'bozor/sdk'

const baseUrl = process.env['BOZOR_URL'] ?? 'http://127.0.0.1:8080'
const bozor = createBozor({ baseUrl, apiKey: process.env['BOZOR_KEY']!, language: 'en' })

// Receive webhooks of placed orders on this machine (allowed in the test environment). A secret is null only in a
// replay with the same Idempotency-Key.
const { promise: received, resolve: receive, reject } = Promise.withResolvers<Event>()
const receiver = createServer(async (request, response) => {
  verifyWebhook(await text(request), request.headers, secret!).then(receive, reject)
  response.writeHead(204).end()
})
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
const { webhook, secret } = await bozor.webhooks.create({ url, filters: ['OrdersCreated'] })

// Browse and search.
const { items: categories, pagination } = await bozor.categories.list({ per_page: 3 })
console.log(`${pagination.total} categories, first ${categories[0]!.slug}`)
const search = { q: 'smartphone', in_stock: true, price_max: 400_000_000 } // in tiyin
const { items: found } = await bozor.products.search(search)
const { product } = await bozor.products.get({ product_id: found[0]!.id })
const offer = product.offers[0]!
console.log(`found ${found.length} products, first "${product.name}" for ${offer.price.amount} tiyin`)

// A guest fills a cart and gets recommendations.
const SessionId = (await bozor.auth.createGuestSession()).session_id!
const cart = await bozor.cart.addItem({ SessionId, OfferId: Number(offer.id), Quantity: 1 })
const page = { from_app: 'example', from_layer: 'main_page' } as const
const list = await bozor.recommendations.forBuyer({ user_id: SessionId, ...page })
console.log(`cart of ${cart.TotalAmount} sums; ${list.offers.length} recommendations by ${list.source}`)

// The buyer signs up, signs in, and the cart of the guest moves to the account.
const account = { phone: `+99890${Math.floor(1e6 + Math.random() * 9e6)}`, password: `plums ${SessionId}` }
await bozor.auth.register({ name: 'Aziza', ...account })
const { client } = await bozor.auth.login({ login: account.phone, password: account.password })
const ClientId = Number(client.id)
const merged = await bozor.cart.merge({ ClientId, SessionId })
console.log(`client ${ClientId} has ${merged.TotalItemsCount} item in the cart`)

// Order, pay with a test card, and wait for the webhook.
const DeliveryAddress = 'Toshkent, Amir Temur 1'
const { OrderIds } = await bozor.cart.order({ ClientId, PaymentMethodId: 1, DeliveryAddress })
const id = OrderIds[0]!
const card = { number: '8600000000000015', expiry_month: 12, expiry_year: 2030, cvc: '123' }
await bozor.orders.createPayment({ id, kind: 'card', card })
console.log(`webhook ${(await received).type}`)
while ((await bozor.orders.get({ id })).order.payment_status !== 'paid')
  await new Promise((wait) => setTimeout(wait, 200))
console.log(`order ${id} is paid`)

await bozor.webhooks.delete({ webhook_id: webhook.id })
receiver.close()
