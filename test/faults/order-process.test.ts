// O1, O13 to O16 with a real process: it is stopped, killed at random moments, and clients disconnect.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isNightly } from '../support/nightly.ts'
import { address, cash } from '../support/orders.ts'
import { ndjson } from '../support/records.ts'
import { type RunningServer, startServer, preparedFolder } from '../support/process.ts'
import type { Reply } from '../support/shop.ts'
import { waitFor } from '../support/wait-until.ts'
import { openRawConnection, requestText } from '../support/wire.ts'

const DATA_DIR = await preparedFolder()
const start = () => startServer({ DATA_DIR, DEMO: 'false' })
let server: RunningServer = await start()
const key = server.keys.test
const call = (method: string, path: string, options: object = {}) =>
  server.call(method, path, { key, ...options })

const offers = [1, 2, 3].map((id) => ({
  record: 'offer',
  id,
  product_id: id,
  partner_id: 1,
  price_tiyin: 1_000 * id,
  quantity: 1_000,
}))
const loaded = await call('POST', '/v1/catalog/import', {
  raw: ndjson([
    { record: 'category', id: 1, slug: 'phones', name: { ru: 'Телефоны' } },
    { record: 'partner', id: 1, slug: 'texnomart', name: 'Texnomart' },
    ...offers.map(({ id }) => ({
      record: 'product',
      id,
      category_id: 1,
      slug: `product-${id}`,
      name: { ru: `Товар ${id}` },
    })),
    ...offers,
  ]),
  headers: { 'content-type': 'application/x-ndjson' },
})
equal(loaded.status, 200, loaded.text)
await server.end('SIGTERM')

const bodyOf = (ClientId: number) => ({ ClientId, PaymentMethodId: cash, DeliveryAddress: address })
const order = (ClientId: number, name: string): Promise<Reply> =>
  call('POST', '/api/cart/orders', { body: bodyOf(ClientId), headers: { 'idempotency-key': name } })

async function fillCart(ClientId: number): Promise<void> {
  for (const OfferId of [1, 2, 3])
    equal((await call('POST', '/api/cart/items', { body: { ClientId, OfferId, Quantity: 2 } })).status, 200)
}

/** The number of orders of a client, the units in the cart, and the units taken from the stock. */
async function traces(ClientId: number) {
  const orders = (await call('GET', `/v1/orders?customer_id=${ClientId}`)).body.data.orders
  const cart = (await call('GET', `/api/cart/items?ClientId=${ClientId}`)).body.data
  return { orders: orders.length, units: cart.TotalItemsCount }
}

/** Asked again while the server, just started on a busy machine, answers that it is overloaded. */
async function stockOf(): Promise<number> {
  const reply = await waitFor(async () => {
    const it = await call('GET', '/v1/catalog/offers/1')
    return it.status === 503 ? undefined : it
  })
  equal(reply.status, 200, reply.text)
  return reply.body.data.offer.quantity
}

test('one key gives one order and the same bytes for twenty concurrent calls, after SIGTERM and after kill -9', async () => {
  // A server ends with the test that started it, so each test starts its own on the same data.
  server = await start()
  await fillCart(1)
  const replies = await Promise.all(Array.from({ length: 20 }, () => order(1, 'once')))
  const texts = new Set(replies.map((it) => it.text))
  equal(texts.size, 1, [...texts].join('\n'))
  equal(replies[0]!.status, 201)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await server.end(signal)
    server = await start()
    const again = await order(1, 'once')
    equal(again.text, replies[0]!.text)
    equal(again.headers.get('idempotent-replayed'), 'true')
  }
  deepEqual(await traces(1), { orders: 1, units: 0 })
  await server.end('SIGTERM')
})

test('a server killed while ordering leaves one order or none, and the repeated call completes it', async () => {
  server = await start()
  for (const [at, waitMs] of (isNightly ? [1, 5, 12, 25, 50] : [3, 15]).entries()) {
    const client = 100 + at
    await fillCart(client)
    const before = await stockOf()
    const first = order(client, `killed-${client}`).catch(() => undefined)
    await new Promise((done) => setTimeout(done, waitMs))
    await server.end('SIGKILL')
    const answered = await first
    server = await start()
    const { orders, units } = await traces(client)
    deepEqual([orders, units], orders === 1 ? [1, 0] : [0, 6], `killed after ${waitMs} ms`)
    if (answered) equal(orders, 1, 'what was acknowledged is there')
    equal(await stockOf(), before - orders * 2)
    const again = await order(client, `killed-${client}`)
    equal(again.status, 201, again.text)
    if (answered) equal(again.text, answered.text)
    deepEqual(await traces(client), { orders: 1, units: 0 })
    equal(await stockOf(), before - 2)
  }
  await server.end('SIGTERM')
})

test('a caller that disconnects after sending has one order and gets it by repeating the call', async () => {
  server = await start()
  await fillCart(200)
  const body = JSON.stringify(bodyOf(200))
  const line = await openRawConnection(server.url)
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Idempotency-Key': 'hung-up',
  }
  await line.send(requestText('POST /api/cart/orders', headers, body))
  line.socket.destroy()
  const again = await order(200, 'hung-up')
  equal(again.status, 201, again.text)
  deepEqual(await traces(200), { orders: 1, units: 0 })
  ok(again.body.data.OrderIds.length === 1)
  await server.end('SIGTERM')
})
