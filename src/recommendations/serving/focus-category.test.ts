import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { InteractionKind } from '../interactions/interaction.ts'
import { focusCategory } from './focus-category.ts'

const now = new Date('2026-05-20T12:00:00Z')
const day = 86_400_000

const [phones, cases, sofas, cushions] = [1, 2, 3, 4]
/** Product 10 is a phone, 20 a case, 30 a sofa, 40 a cushion; few buy a second phone or sofa. */
const model = {
  items: { categories: Int32Array.of(phones, cases, sofas, cushions) },
  rhythm: { second: Float64Array.of(0.1, 0.8, 0.1, 0.8) },
}
const rowOf = { get: (id: number) => id / 10 - 1 }
type Companion = readonly [category: number, weight: number]
const goesWith = new Map<number, readonly Companion[]>([
  [
    phones,
    [
      [cases, 0.9],
      [cushions, 0.1],
    ],
  ],
  [cases, [[phones, 0.5]]],
])
const companionsOf = (of: Iterable<number>) =>
  new Map([...of].flatMap((category) => goesWith.get(category) ?? []))

const focusOf = (
  page: readonly number[],
  steps: readonly [product: number | null, kind: InteractionKind, daysAgo: number][],
  layer: 'main_page' | 'offer_page' | 'cart_page' = 'main_page',
) =>
  focusCategory(
    { model, rowOf, companionsOf },
    { layer },
    {
      pageProductIds: [...page],
      interactions: steps.map(([productId, kind, daysAgo]) => ({
        productId,
        kind,
        offer: '1',
        atMs: now.getTime() - daysAgo * day,
      })),
    },
    now,
  )

test('a product page is about the category of its product', () => {
  equal(focusOf([10], [], 'offer_page'), phones)
})

test('a cart takes up what goes with it, not more of the same', () => {
  equal(focusOf([10], [], 'cart_page'), cases)
  equal(focusOf([10, 20], [], 'cart_page'), cushions)
  equal(focusOf([30], [], 'cart_page'), null)
})

test('the main page is about the latest interests, without what was just bought and is not bought twice', () => {
  equal(
    focusOf(
      [],
      [
        [30, 'view', 0],
        [10, 'view', 1],
        [30, 'view', 2],
      ],
    ),
    sofas,
  )
  equal(
    focusOf(
      [],
      [
        [30, 'purchase', 3],
        [10, 'view', 4],
      ],
    ),
    phones,
  )
  equal(focusOf([], [[30, 'purchase', 3]]), null)
  equal(
    focusOf(
      [],
      [
        [30, 'purchase', 31],
        [10, 'view', 4],
      ],
    ),
    sofas,
  )
  equal(
    focusOf(
      [],
      [
        [20, 'purchase', 3],
        [10, 'view', 4],
      ],
    ),
    cases,
  )
})

test('without known products there is no category', () => {
  equal(focusOf([], []), null)
  equal(focusOf([], [[null, 'view', 0]]), null)
})
