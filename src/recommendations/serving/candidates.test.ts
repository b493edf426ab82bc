import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isNotDueAgain } from './candidates.ts'
import { excludedProducts } from './rank-products.ts'

/** Item 0 is durable; item 1 is bought again by most, after twenty days. */
const rhythm = {
  gap: Float64Array.of(20, 20),
  again: Float64Array.of(0.05, 0.8),
  second: Float64Array.of(0.05, 0.8),
}

const cases: readonly [what: string, item: number | undefined, days: number, isHidden: boolean][] = [
  ['a durable product after a day', 0, 1, true],
  ['a durable product after a year', 0, 365, true],
  ['a durable product after more than a year', 0, 366, false],
  ['a consumable too early', 1, 0.5 * 20, true],
  ['a consumable when it is soon due', 1, 0.7 * 20, false],
  ['a consumable that is overdue', 1, 40, false],
  ['a product that the model does not know', undefined, 100, true],
  ['a product that the model does not know, after more than a year', undefined, 366, false],
]
for (const [what, item, days, isHidden] of cases)
  test(`${what} ${isHidden ? 'is not shown again' : 'may be shown again'}`, () =>
    equal(isNotDueAgain(rhythm, item, days), isHidden))

test('without a model what was bought does not come back within a year', () => {
  equal(isNotDueAgain(undefined, undefined, 30), true)
  equal(isNotDueAgain(undefined, undefined, 366), false)
})

test('a list hides what is on the page, in the cart or bought and not due, each by its own rule', () => {
  const now = new Date('2026-05-20T12:00:00Z')
  const bought = (productId: number, daysAgo: number) => ({
    productId,
    kind: 'purchase' as const,
    offer: '1',
    atMs: now.getTime() - daysAgo * 86_400_000,
  })
  const buyer = {
    buyer: 'user:1',
    experimentKey: null,
    pageProductIds: [7],
    cartProductIds: new Set([8]),
    interactions: [bought(7, 1), bought(1, 14), bought(0, 14), { ...bought(3, 1), kind: 'view' as const }],
  }
  const hidden = (of: number[]) => [...excludedProducts(buyer, now, servingOf(of))]
  deepEqual(hidden([0, 1]), [
    [7, 'on_page'],
    [8, 'in_cart'],
    [0, 'bought_recently'],
  ])
  deepEqual(hidden([]), [
    [7, 'on_page'],
    [8, 'in_cart'],
    [1, 'bought_recently'],
    [0, 'bought_recently'],
  ])
})

/** A model that knows the given items under their own numbers. */
const servingOf = (items: number[]) => ({
  rowOf: { get: (id: number) => (items.includes(id) ? id : undefined) },
  model: { rhythm },
})
