import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { bestConditionsFirst, discountPercent, monthlyTiyin, validOldPrice } from './price.ts'

test('an old price counts when it makes a discount of at least one percent', () => {
  const cases: [price: number, old: number | null, valid: boolean, discount: number | null][] = [
    [99, 100, true, -1],
    [991, 1_000, false, null],
    [990, 1_000, true, -1],
    [100, 100, false, null],
    [120, 100, false, null],
    [1, 10_000_000_000_000, true, -100],
    [85, 100, true, -15],
    [100, null, false, null],
  ]
  for (const [price, old, valid, discount] of cases) {
    equal(validOldPrice(price, old), valid ? old : null, `${price} of ${old}`)
    equal(discountPercent(price, old), discount, `${price} of ${old}`)
  }
})

test('the best loan condition is the longest, then the cheapest, then the oldest', () => {
  const conditions = [
    { id: 4, duration: 12, commission: 24 },
    { id: 3, duration: 24, commission: 40 },
    { id: 2, duration: 24, commission: 38 },
    { id: 1, duration: 24, commission: 40 },
  ]
  deepEqual(
    bestConditionsFirst(conditions).map((it) => it.id),
    [2, 1, 3, 4],
  )
})

test('a monthly payment is rounded up and exact up to the maximum price', () => {
  equal(monthlyTiyin(129_900_000, { duration: 12, commission: 24 }), 13_423_000)
  equal(monthlyTiyin(100, { duration: 3, commission: 0 }), 34)
  equal(monthlyTiyin(10_000_000_000_000, { duration: 7, commission: 33 }), 1_900_000_000_000)
  equal(monthlyTiyin(9_999_999_999_999, { duration: 120, commission: 1_000 }), 916_666_666_667)
})
