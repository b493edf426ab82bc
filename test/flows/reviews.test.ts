import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith } from '../support/client.ts'
import { openOrdering } from '../support/orders.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const { call } = platform
const shop = await openOrdering(platform)
const offer = await shop.stock.offer()
const productId = offer

const signUp = async (name: string, phone: string) =>
  browserWith(
    platform.url,
    await shop.post('/v1/auth/register', { name, phone, password: 'four plums in a basket' }),
  )
const aziza = await signUp('Aziza Karimova', '+998935550201')
const botir = await signUp('Botir', '+998935550202')
const mine = `/v1/auth/reviews/${productId}`
const shown = async () => (await call('GET', `/v1/catalog/products/${productId}/reviews`)).body.data
const decide = (id: string, body: object) => shop.post(`/v1/admin/reviews/${id}/decision`, body)

test('a review is shown after its approval, with the average, and marked when its author received the product', async () => {
  const buyer = { ClientId: Number(aziza.client.id) }
  await shop.put(buyer, offer)
  const [order] = await shop.ordered(buyer)
  const { fulfilment } = await shop.act(order!, 'fulfilments')
  await shop.act(order!, `fulfilments/${fulfilment.id}/ship`)
  await shop.act(order!, `fulfilments/${fulfilment.id}/deliver`)

  const first = await aziza.call('PUT', mine, { body: { stars: 5, text: 'Good' } })
  equal(first.status, 200, first.text)
  const { review } = first.body.data
  deepEqual([review.status, review.author, review.is_verified], ['pending', 'Aziza', true])
  const second = (await botir.call('PUT', mine, { body: { stars: 2 } })).body.data.review
  equal(second.is_verified, false)
  deepEqual([(await shown()).rating.average, (await shown()).reviews], [null, []])

  const pending = await call('GET', '/v1/admin/reviews?status=pending')
  deepEqual(
    pending.body.data.reviews.map((it: { id: string }) => it.id),
    [review.id, second.id],
  )
  for (const it of [review, second]) equal((await decide(it.id, { approved: true })).status, 200)
  const { rating, reviews } = await shown()
  deepEqual([rating.average, rating.count, rating.by_stars[0]], [3.5, 2, { stars: 5, count: 1 }])
  deepEqual(
    reviews.map((it: { stars: number; status?: string; customer_id?: string }) => [
      it.stars,
      it.status,
      it.customer_id,
    ]),
    [
      [2, undefined, undefined],
      [5, undefined, undefined],
    ],
  )
})

test('a changed review waits for moderation again, and a rejected one has a reason', async () => {
  const { review } = (await botir.call('PUT', mine, { body: { stars: 1, text: 'Call me' } })).body.data
  equal((await shown()).rating.count, 1)
  const missing = assertRefused('validation_failed', await decide(review.id, { approved: false }))
  equal(missing.fields[0].path, 'reason')
  equal((await decide(review.id, { approved: false, reason: 'Advertises' })).status, 200)
  const own = (await botir.call('GET', '/v1/auth/reviews')).body.data.reviews[0]
  deepEqual([own.status, own.reason], ['rejected', 'Advertises'])
  equal((await botir.call('DELETE', mine)).status, 200)
  assertRefused('not_found', await botir.call('DELETE', mine))
  const events = (await shop.events('ReviewDecided')).map((it) => it.fields['status'])
  deepEqual(events, ['approved', 'approved', 'rejected'])
})

test('unknown products and wrong stars are refused, and an erased client leaves no review', async () => {
  assertRefused('not_found', await aziza.call('PUT', '/v1/auth/reviews/999999', { body: { stars: 5 } }))
  assertRefused('not_found', await call('GET', '/v1/catalog/products/999999/reviews'))
  assertRefused('not_found', await decide('999999', { approved: true }))
  for (const stars of [0, 6, 4.5])
    assertRefused('validation_failed', await aziza.call('PUT', mine, { body: { stars } }))
  equal((await shop.post(`/v1/admin/clients/${aziza.client.id}/erase`, {})).status, 200)
  equal((await shown()).rating.count, 0)
})
