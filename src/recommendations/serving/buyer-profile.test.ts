import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { historyLength } from '../interactions/interaction.ts'
import { itemsOf } from '../models/items.ts'
import { profileOf, type ItemInteraction, usualLogPriceOf } from './buyer-profile.ts'

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

test('the preferences of a buyer follow the weights of their interactions', () => {
  const profile = profileOf(items, [
    { item: 0, kind: 'view', day: 1 },
    { item: 1, kind: 'cart', day: 2 },
    { item: 1, kind: 'click', day: 3 },
  ])
  deepEqual(
    [...profile.categories],
    [
      [1, 1],
      [2, 7],
    ],
  )
  equal(profile.worth, 8)
  deepEqual([...profile.departments], [[9, 8]])
  deepEqual(profile.touches.get(1), { times: 2, bought: 0, reactions: 2, lastDay: 3 })
  equal(profile.lastDay, 3)
  equal(usualLogPriceOf(profile)?.toFixed(4), Math.log(1_000).toFixed(4))
})

test('the latest items count, each at its latest interaction', () => {
  const steps = Array.from({ length: historyLength + 20 }, (_, at) => ({
    item: at,
    kind: 'view' as const,
    day: at,
  }))
  const { history } = profileOf(items, [...steps, { item: 12, kind: 'view', day: 999 }])
  equal(history.length, historyLength)
  deepEqual(history.slice(-2), [historyLength + 19, 12])
  equal(history.filter((it) => it === 12).length, 1)
})

test('a buyer without interactions has no profile', () => {
  const profile = profileOf(items, [])
  deepEqual(
    [profile.history, profile.purchases, usualLogPriceOf(profile), profile.lastDay],
    [[], [], undefined, undefined],
  )
})

test('an extended profile equals the profile of all its interactions', () => {
  const steps = Array.from({ length: 70 }, (_, at): ItemInteraction => {
    const kind = at % 7 === 0 ? 'purchase' : at % 3 === 0 ? 'cart' : 'view'
    return { item: (at * 17) % 60, kind, day: at }
  })
  for (const cut of [0, 1, 30, 69, 70]) {
    const before = profileOf(items, steps.slice(0, cut))
    const known = structuredClone(before)
    deepEqual(profileOf(items, steps.slice(cut), before), profileOf(items, steps))
    deepEqual(before, known)
  }
})
