import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { plannedPromotion } from '../../../test/support/planned-promotion.ts'
import { conflictsAmong, winnerOf } from './conflicts.ts'
import type { Effect } from './schedule.ts'

test('promotions conflict when they reduce prices of the same offers at the same time', () => {
  const offers = [1, 2].map((id) => ({
    id,
    isModerated: id === 2,
    partnerId: 9,
    categoryIds: [7],
    brandId: null,
  }))
  const promotions = [
    plannedPromotion({ id: 1, from: 0, until: 10 }),
    plannedPromotion({ id: 2, from: 5, until: 15, members: { categoryIds: [7] } }),
    plannedPromotion({ id: 3, from: 10, until: 20, members: { partnerIds: [9] } }),
    plannedPromotion({ id: 4, from: 0, until: 20, members: { offerIds: [3] } }),
  ]
  deepEqual(
    conflictsAmong(promotions, offers).map(({ first, second, fromMs, untilMs, count, sample }) => [
      [first.details.id, second.details.id],
      [fromMs, untilMs],
      count,
      sample,
    ]),
    [
      [[1, 2], [5, 10], 1, [1]],
      [[2, 3], [10, 15], 2, [1]],
    ],
  )
})

test('the winner is the one whose price holds for every shared offer', () => {
  const off = (percent: number): Effect => ({ kind: 'discount', percent })
  const at = (priceTiyin: number): Effect => ({ kind: 'price', priceTiyin })
  for (const [first, second, from, winner] of [
    [off(10), off(20), 0, 2],
    [off(20), off(10), 5, 1],
    [off(10), off(10), 5, 2],
    [off(10), off(10), 0, 1],
    [at(500), at(400), 0, 2],
    [at(500), at(500), 0, 1],
    [off(10), at(400), 0, null],
  ] as const) {
    const pair = [
      plannedPromotion({ id: 1, effect: first }),
      plannedPromotion({ id: 2, from, effect: second }),
    ] as const
    equal(winnerOf(...pair), winner, JSON.stringify([first, second, from]))
  }
})
