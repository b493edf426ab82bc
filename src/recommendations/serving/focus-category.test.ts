import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { InteractionKind, PastInteraction } from '../interactions/interaction.ts'
import { focusCategory } from './focus-category.ts'

const now = new Date('2026-05-20T12:00:00Z')
const day = 86_400_000

const [phones, cases, sofas, cushions] = [1, 2, 3, 4]
/** Product 10 is a phone, 20 a case, 30 a sofa, 40 a cushion; few buy a second phone or sofa. */
const model = {
  items: { categories: Int32Array.of(phones, cases, sofas, cushions) },
  rhythm: { second: Float64Array.of(0.1, 0.8, 0.1, 0.8) },
}
const rowOf = new Map([10, 20, 30, 40].map((id, row) => [id, row]))
/** The model does not know product 11, a new phone. */
const placeOf = (id: number) => (id === 11 ? { categoryPath: [9, phones], priceTiyin: 1 } : undefined)
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

const interaction = (kind: InteractionKind) => (productId: number | null, daysAgo: number) => ({
  productId,
  kind,
  offer: '1',
  atMs: now.getTime() - daysAgo * day,
})
const [viewed, bought] = [interaction('view'), interaction('purchase')]

const focusOf = (
  layer: 'main_page' | 'offer_page' | 'cart_page',
  pageProductIds: number[],
  ...interactions: PastInteraction[]
) =>
  focusCategory(
    { model, rowOf, companionsOf },
    { layer },
    { buyer: { pageProductIds, interactions }, buyable: { placeOf }, now },
  )

test('a product page is about the category of its product', () => {
  equal(focusOf('offer_page', [10]), phones)
  equal(focusOf('offer_page', [11], viewed(30, 0)), phones, 'it is newer than the model')
})

test('a cart takes up what goes with it, not more of the same', () => {
  equal(focusOf('cart_page', [10]), cases)
  equal(focusOf('cart_page', [10, 20]), cushions)
  equal(focusOf('cart_page', [30]), null)
  equal(focusOf('cart_page', [11]), cases, 'it is newer than the model')
  equal(focusOf('cart_page', [20, 11]), cushions, 'it is newer than the model')
  equal(focusOf('cart_page', [99], viewed(10, 0)), null, 'nothing is known of the product')
})

test('the main page is about the latest interests, without what was just bought and is not bought twice', () => {
  equal(focusOf('main_page', [], viewed(30, 0), viewed(10, 1), viewed(30, 2)), sofas)
  equal(focusOf('main_page', [], bought(30, 3), viewed(10, 4)), phones)
  equal(focusOf('main_page', [], bought(30, 3)), null)
  equal(focusOf('main_page', [], bought(30, 31), viewed(10, 4)), sofas)
  equal(focusOf('main_page', [], bought(20, 3), viewed(10, 4)), cases)
})

test('without known products there is no category', () => {
  equal(focusOf('main_page', []), null)
  equal(focusOf('main_page', [], viewed(null, 0), viewed(99, 1)), null)
})
