import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest } from '../../../test/support/carts.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { viewedProducts } from './viewed-products.ts'

const at = new Date('2026-11-16T09:00:00Z')

test('each product is listed once, the newest view first; other interactions and unknown offers are not', () => {
  const past = (kind: 'view' | 'click' | 'cart', productId: number | null, offer: string) => ({
    kind,
    productId,
    offer,
    atMs: at.getTime(),
  })
  const interactions = [
    past('cart', 4, '40'),
    past('click', 2, '21'),
    past('view', null, '99'),
    past('view', 1, '10'),
    past('view', 2, '20'),
    past('view', 3, '30'),
  ]
  deepEqual(
    viewedProducts({ interactions }, 2).map((it) => [it.productId, it.offer]),
    [
      [2, '21'],
      [1, '10'],
    ],
  )
})

const platform = await openPlatform()
const { call } = platform

test('a guest sees what was viewed, and the key of a web application cannot list the views of a client', async () => {
  const stock = await openStock(platform)
  const [first, second] = [await stock.offer(), await stock.offer()]
  const { SessionId: session } = newGuest()
  const key = await platform.makeKey({ scopes: ['catalog:read', 'cart:read'], type: 'web' })
  for (const [offer, minute] of [
    [first, '00'],
    [second, '01'],
    [first, '02'],
  ] as const) {
    const seen = {
      user_id: session,
      offer_id: String(offer),
      kind: 'view',
      at: `2026-11-16T09:${minute}:00Z`,
    }
    const reply = await call('POST', '/v1/interactions', { key, body: { interactions: [seen] } })
    equal(reply.status, 200, reply.text)
  }
  const path = '/v1/recommendations/recently-viewed'
  const listed = async () => {
    const reply = await call('GET', `${path}?customer_id=${session}`, { key })
    return reply.body.data.products.map((it: { offer_id: string }) => it.offer_id)
  }
  await waitUntil(async () => (await listed()).length === 2, { what: 'both products to be listed' })
  deepEqual(await listed(), [String(first), String(second)])
  assertRefused('buyer_mismatch', await call('GET', `${path}?customer_id=7`, { key }))
  assertRefused('buyer_required', await call('GET', path, { key }))
  equal((await call('GET', `${path}?customer_id=7`)).status, 200)
})
