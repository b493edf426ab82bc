import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { mainPageRequest } from '../../../test/support/recommendation-request.ts'
import type { BuyableOffer } from '../../catalog/index.ts'
import { ListBuilder } from './fill-list.ts'
import type { RecommendationRequest } from './request.ts'
import { Trace } from './trace.ts'

const asked = mainPageRequest([])
const offer = (productId: number, partnerId: number, categoryId: number): BuyableOffer => ({
  productId,
  offerId: productId,
  isModerated: false,
  partnerId,
  categoryId,
})
const everyProduct = { buyer: 'known', without: new Set<number>() } as const
const listOf = (offers: BuyableOffer[], how: Partial<RecommendationRequest> = {}) => {
  const list = new ListBuilder({ ...asked, ...how }, undefined, everyProduct)
  for (const it of offers) list.add(it)
  return list.offers().map((it) => it.productId)
}
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test('a list has at most ten offers of a partner unless there are no others', () => {
  const greedy = numbers(25).map((id) => offer(id, 1, id))
  const others = numbers(20).map((id) => offer(100 + id, 1 + id, 1_000 + id))
  const shown = listOf([...greedy, ...others])
  equal(shown.length, 30)
  deepEqual(shown.slice(0, 10), numbers(10))
  equal(shown.slice(10).filter((id) => id > 100).length, 20)
  equal(listOf(greedy).length, 25)
})

test('a main page has at most twelve offers of a category, and a category page any number', () => {
  const alike = numbers(20).map((id) => offer(id, id, 7))
  const others = numbers(20).map((id) => offer(100 + id, 100 + id, 100 + id))
  const many = (how: Partial<RecommendationRequest>) =>
    listOf([...alike, ...others], how).filter((id) => id <= 20).length
  equal(many({}), 12)
  equal(many({ categoryId: 7 }), 20)
  equal(many({ layer: 'offer_page' }), 20)
})

test('a product is in a list once, whichever partner sells it', () => {
  deepEqual(listOf([offer(1, 1, 1), offer(1, 2, 1), offer(2, 1, 1)]), [1, 2])
})

test('a product that was sold out leaves its share of a partner to the next best', () => {
  const trace = new Trace()
  const list = new ListBuilder({ ...asked, limit: 11 }, trace, { buyer: 'known', without: new Set([1]) })
  for (const id of numbers(12)) list.add(offer(id, 1, id))
  list.add(offer(13, 2, 13))
  deepEqual(
    list.offers().map((it) => it.productId),
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13],
  )
  equal(trace.rules.get(12), 'partner_limit')
})
