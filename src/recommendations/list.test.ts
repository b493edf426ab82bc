import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { mainPageAsk } from '../../test/support/ask.ts'
import type { StallOffer } from '../catalog/index.ts'
import type { Ask } from './ask.ts'
import { List } from './list.ts'
import { Trace } from './trace.ts'

const asked = mainPageAsk([])
const offer = (productId: number, partnerId: number, categoryId: number): StallOffer => ({
  productId,
  offerId: productId,
  isModerated: false,
  partnerId,
  categoryId,
})
const listOf = (offers: StallOffer[], how: Partial<Ask> = {}) => {
  const list = new List({ ...asked, ...how }, undefined)
  for (const it of offers) list.add(it)
  return list.offers().map((it) => it.productId)
}
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test('of one partner there are ten while there is anything else, and more when there is not', () => {
  const greedy = numbers(25).map((id) => offer(id, 1, id))
  const others = numbers(20).map((id) => offer(100 + id, 1 + id, 1_000 + id))
  const shown = listOf([...greedy, ...others])
  equal(shown.length, 30)
  deepEqual(shown.slice(0, 10), numbers(10))
  equal(shown.slice(10).filter((id) => id > 100).length, 20)
  equal(listOf(greedy).length, 25)
})

test('of one category there are twelve on the main page, and any number where the page is about one', () => {
  const alike = numbers(20).map((id) => offer(id, id, 7))
  const others = numbers(20).map((id) => offer(100 + id, 100 + id, 100 + id))
  const many = (how: Partial<Ask>) => listOf([...alike, ...others], how).filter((id) => id <= 20).length
  equal(many({}), 12)
  equal(many({ categoryId: 7 }), 20)
  equal(many({ layer: 'offer_page' }), 20)
})

test('a product stands in a list once, whoever sells it', () => {
  deepEqual(listOf([offer(1, 1, 1), offer(1, 2, 1), offer(2, 1, 1)]), [1, 2])
})

test('what is dropped makes room for others of its partner, and does not come back', () => {
  const trace = new Trace()
  const list = new List({ ...asked, limit: 11 }, trace)
  const all = numbers(12).map((id) => offer(id, 1, id))
  for (const it of all) list.add(it)
  equal(trace.rules.get(11), 'partner_has_enough')
  list.drop(all[0]!)
  list.add(all[0]!)
  list.add(offer(13, 1, 13))
  deepEqual(
    list.offers().map((it) => it.productId),
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 11],
  )
})
