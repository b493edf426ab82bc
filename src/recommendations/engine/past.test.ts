import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { itemsOf } from './items.ts'
import { pastOf, type Step, usualLogPrice } from './past.ts'

const items = itemsOf(
  Array.from({ length: 60 }, (_, at) => ({
    productId: 100 + at,
    categoryId: 1 + (at % 2),
    departmentId: 9,
    brandId: at % 3,
    priceTiyin: 1_000,
    words: '',
  })),
)

test('a buyer’s tastes are told by what his deeds are worth', () => {
  const past = pastOf(items, [
    { item: 0, kind: 'view', day: 1 },
    { item: 1, kind: 'cart', day: 2 },
    { item: 1, kind: 'click', day: 3 },
  ])
  deepEqual(
    [...past.categories],
    [
      [1, 1],
      [2, 7],
    ],
  )
  equal(past.worth, 8)
  deepEqual([...past.departments], [[9, 8]])
  deepEqual(past.touches.get(1), { times: 2, bought: 0, lastDay: 3 })
  equal(past.lastDay, 3)
  equal(usualLogPrice(past)?.toFixed(4), Math.log(1_000).toFixed(4))
})

test('of all that he touched, the last forty count, each where it was touched last', () => {
  const steps = Array.from({ length: 50 }, (_, at) => ({ item: at, kind: 'view' as const, day: at }))
  const { history } = pastOf(items, [...steps, { item: 12, kind: 'view', day: 60 }])
  equal(history.length, 40)
  deepEqual(history.slice(-2), [49, 12])
  equal(history.filter((it) => it === 12).length, 1)
})

test('somebody who did nothing has no past', () => {
  const past = pastOf(items, [])
  deepEqual([past.history, past.purchases, usualLogPrice(past), past.lastDay], [[], [], undefined, undefined])
})

test('a past that goes on is the past of all its steps', () => {
  const steps = Array.from({ length: 70 }, (_, at): Step => {
    const kind = at % 7 === 0 ? 'purchase' : at % 3 === 0 ? 'cart' : 'view'
    return { item: (at * 17) % 60, kind, day: at }
  })
  for (const cut of [0, 1, 30, 69, 70]) {
    const before = pastOf(items, steps.slice(0, cut))
    const known = structuredClone(before)
    deepEqual(pastOf(items, steps.slice(cut), before), pastOf(items, steps))
    deepEqual(before, known)
  }
})
