import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { rowOf } from '../../ml/retrieval/sparse.ts'
import type { ItemInteraction } from '../serving/buyer-profile.ts'
import { companionsOf } from './companions.ts'
import { itemsOf } from './items.ts'

/** Items 0 and 1 are phones, 2 and 3 cases, 4 and 5 sofas; 6 to 8 are one more of each, without interactions. */
const items = itemsOf(
  [1, 1, 2, 2, 3, 3, 1, 2, 3].map((categoryId, at) => ({
    productId: at + 1,
    categoryId,
    departmentId: 1,
    brandId: 0,
    priceTiyin: 100,
    words: '',
  })),
)
/** No buyer buys twice in any category. */
const never = { second: new Float64Array(items.count) }
const step = (item: number, kind: ItemInteraction['kind'], day: number): ItemInteraction => ({
  item,
  kind,
  day,
})

test('what buyers turn to after a purchase goes with it, also for products that never met', () => {
  const buyers = Array.from({ length: 60 }, (_, at) =>
    at % 2 === 0
      ? [step(0, 'purchase', 1), step(2, 'view', 5)]
      : [step(4 + (at % 3 === 0 ? 1 : 0), 'view', 2), step(1, 'view', 50)],
  )
  const { categories, weights } = companionsOf(buyers, items, {
    popularity: Float64Array.of(5, 1, 3, 2, 1, 1, 0, 0, 0),
    rhythm: never,
  })
  deepEqual([...categories], [1, 2, 3])
  deepEqual([...rowOf(weights, 0)], [2, 3, 7])
  ok(weights.values[0]! > weights.values[1]!, 'the popular one first')
  deepEqual([...rowOf(weights, 2)], [], 'a view begins nothing')
})

test('what buyers see before and after alike is an interest, not a companion', () => {
  const buyers = Array.from({ length: 90 }, (_, at) =>
    at % 3 === 0
      ? [step(4, 'view', 10), step(4, 'view', 11), step(0, 'purchase', 30), step(2, 'view', 35)]
      : at % 3 === 1
        ? [step(5, 'view', 12), step(0, 'purchase', 30), step(2, 'view', 36), step(4, 'view', 50)]
        : [step(1, 'view', 1), step(1, 'view', 60)],
  )
  const { weights } = companionsOf(buyers, items, { popularity: new Float64Array(9).fill(1), rhythm: never })
  deepEqual([...rowOf(weights, 0)], [2, 3, 7], 'cases, but not sofas')
})

test('categories that buyers return to go together also when they are reached before and after alike', () => {
  const buyers = Array.from({ length: 120 }, (_, at) =>
    at % 3 === 0
      ? [step(2, 'purchase', 10), step(0, 'purchase', 30), step(at % 4 === 0 ? 0 : 2, 'view', 45)]
      : [step(4, 'view', 1), step(5, 'view', 60)],
  )
  /** The shares of buyers who come back to phones, cases and sofas. */
  const companionsWith = (...shares: [number, number, number]) =>
    companionsOf(buyers, items, {
      popularity: new Float64Array(9).fill(1),
      rhythm: { second: Float64Array.from(items.categories, (id) => shares[id - 1]!) },
    })
  deepEqual([...rowOf(companionsWith(0.3, 0.3, 0.3).weights, 0)], [])
  deepEqual([...rowOf(companionsWith(0.5, 0.3, 0.5).weights, 0)], [])
  deepEqual([...rowOf(companionsWith(0.3, 0.5, 0.5).weights, 0)], [])
  deepEqual([...rowOf(companionsWith(0.5, 0.5, 0.3).weights, 0)], [2, 3, 7])
})

test('what is bought in one visit goes together in any order', () => {
  const buyers = Array.from({ length: 60 }, (_, at) =>
    at % 2 === 0
      ? [step(2, 'purchase', 30), step(0, 'purchase', 30)]
      : [step(4, 'view', 2), step(5, 'view', 50)],
  )
  const { weights } = companionsOf(buyers, items, { popularity: new Float64Array(9).fill(1), rhythm: never })
  deepEqual([...rowOf(weights, 0)], [2, 3, 7])
  deepEqual([...rowOf(weights, 1)], [0, 1, 6])
})

test('categories of one or two products have no companions', () => {
  const alone = itemsOf(
    [1, 2, 2].map((categoryId, at) => ({
      productId: at + 1,
      categoryId,
      departmentId: 1,
      brandId: 0,
      priceTiyin: 100,
      words: '',
    })),
  )
  const buyers = Array.from({ length: 60 }, () => [step(0, 'purchase', 1), step(1, 'purchase', 1)])
  deepEqual(
    [...companionsOf(buyers, alone, { popularity: new Float64Array(3).fill(1), rhythm: never }).categories],
    [],
  )
})

test('without buyers nothing goes with anything', () => {
  const { weights } = companionsOf([], items, { popularity: new Float64Array(9), rhythm: never })
  deepEqual([...weights.indices], [])
})
