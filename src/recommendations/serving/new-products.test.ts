import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type NewProduct, positionsFor, positionsOfShown, withNewProducts } from './new-products.ts'

const ranked = Array.from({ length: 60 }, (_, at) => 1 + at)
const isNew = (id: number) => id >= 100
const limit = 30

/** As `fill-list.ts` does: what cannot be bought is left out, what is over a limit comes last. */
function shownOf(
  newProducts: readonly NewProduct[],
  { gone, deferred, share }: { gone: number[]; deferred: number[]; share: number | null },
) {
  const mixed = withNewProducts(ranked, newProducts, positionsFor(limit, share)).filter(
    (id) => !gone.includes(id),
  )
  const accepted = mixed.filter((id) => !deferred.includes(id)).slice(0, limit)
  return [...accepted, ...mixed.filter((id) => deferred.includes(id))].slice(0, limit)
}

const placesOf = (shown: readonly number[]) =>
  shown.map((productId) => ({
    productId,
    isNew: isNew(productId),
    rank: isNew(productId) ? 0 : ranked.indexOf(productId) + 1,
  }))

test('a shown list tells the positions of its new products, whatever was sold out or over a limit', () => {
  const cases: { gone: number[]; deferred: number[]; share: number | null }[] = [
    { gone: [], deferred: [], share: null },
    { gone: [100], deferred: [], share: null },
    { gone: [2, 3, 100], deferred: [5, 6, 7, 8], share: null },
    { gone: [100], deferred: [], share: 0.5 },
    { gone: [100, 101, 104], deferred: [], share: 0.5 },
    { gone: [1, 2, 3, 4, 102, 103], deferred: [6, 9, 10], share: 0.5 },
    { gone: [101, 105], deferred: [], share: 0.9 },
  ]
  for (const state of cases) {
    const positions = positionsFor(limit, state.share)
    const newProducts = positions.map((_, at) => ({ productId: 100 + at, at }))
    const shown = shownOf(newProducts, state)
    const found = positionsOfShown(placesOf(shown), positions)
    deepEqual(shownOf(found, state), shown, JSON.stringify(state))
  }
})

test('new products over a limit have positions among the candidates over a limit', () => {
  const shown = [1, 100, 2, 3, 101, 8, 4, 102, 7, 103].map((productId) => ({
    productId,
    isNew: isNew(productId),
    rank: isNew(productId) ? 0 : productId,
  }))
  deepEqual(positionsOfShown(shown, [1, 4, 6, 8, 12]), [
    { productId: 100, at: 0 },
    { productId: 101, at: 1 },
    { productId: 102, at: 2 },
    { productId: 103, at: 4 },
  ])
})

test('more new products than positions are left out', () => {
  deepEqual(positionsOfShown(placesOf([1, 100, 2, 101, 3, 102]), [9]), [{ productId: 100, at: 0 }])
})
