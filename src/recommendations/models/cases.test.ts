import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../base/clock.ts'
import type { InteractionKind } from '../interactions/interaction.ts'
import type { ItemInteraction } from '../serving/buyer-profile.ts'
import { casesBetween } from './cases.ts'
import { itemsOf } from './items.ts'

const items = itemsOf(
  Array.from({ length: 80 }, (_, at) => ({
    productId: at + 1,
    categoryId: 1,
    departmentId: 1,
    brandId: 0,
    priceTiyin: 1,
    words: '',
  })),
)
const minute = 1 / 1440
/** A visit on day 10, a minute between two steps. */
const visit = (...steps: [InteractionKind, number][]): ItemInteraction[] =>
  steps.map(([kind, item], at) => ({ kind, item, day: 10 + at * minute }))
const cartCases = (buyer: ItemInteraction[]) =>
  casesBetween({ items, buyers: [buyer], places: [null] }, { from: 10, to: 11, most: 1_000 }).filter(
    (it) => it.query.layer === 'cart_page',
  )

test('of an order without pages every product is hidden in turn, and the case knows nothing of it', () => {
  const bought: ItemInteraction = { kind: 'purchase', item: 30, day: 5 }
  const order = visit(['cart', 1], ['cart', 2], ['cart', 3], ['purchase', 1], ['purchase', 2])
  const cases = cartCases([bought, ...order])
  deepEqual(
    cases.map(({ query, grades }) => [[...grades.keys()], query.context]),
    [
      [[1], [2, 3]],
      [[2], [1, 3]],
      [[3], [1, 2]],
    ],
  )
  for (const { query, steps, grades } of cases) {
    ok(!steps.some((it) => grades.has(it.item)))
    deepEqual(
      query.profile.purchases.map((it) => it.item),
      [30],
      'what is in the cart is not bought yet',
    )
  }
})

test('a large order has a case per product, each with all other products', () => {
  const cases = cartCases(
    visit(...Array.from({ length: 70 }, (_, at): [InteractionKind, number] => ['cart', at])),
  )
  equal(cases.length, 70)
  equal(new Set(cases.flatMap((it) => [...it.grades.keys()])).size, 70)
  ok(cases.every((it) => it.query.context.length === 69))
})

test('in a visit with pages products are added one after another, and only earlier ones are known', () => {
  const cases = cartCases(
    visit(['view', 1], ['cart', 1], ['view', 9], ['view', 2], ['cart', 2], ['view', 3], ['cart', 3]),
  )
  deepEqual(
    cases.map(({ query, grades, steps }) => [[...grades.keys()], query.context, steps.map((it) => it.item)]),
    [
      [[2], [1], [1, 1, 9]],
      [[3], [1, 2], [1, 1, 9, 2, 2]],
    ],
  )
})

test('a cart of one product asks nothing', () => {
  deepEqual(cartCases(visit(['cart', 1], ['purchase', 1])), [])
  deepEqual(cartCases(visit(['view', 1], ['cart', 1], ['cart', 1])), [])
})

test('a first visit is asked between its steps for the next product, which may be one of the visit', () => {
  const homeCases = (buyer: ItemInteraction[]) =>
    casesBetween({ items, buyers: [buyer], places: [null] }, { from: 10, to: 11, most: 1_000 })
      .filter((it) => it.query.layer === 'main_page')
      .map(({ steps, grades }) => [steps.map((it) => it.item), [...grades]])
  const steps: [InteractionKind, number][] = [
    ['view', 1],
    ['click', 1],
    ['view', 2],
    ['cart', 2],
    ['view', 1],
  ]
  deepEqual(homeCases(visit(...steps)), [
    [[1, 1], [[2, 2]]],
    [[1, 1, 2, 2], [[1, 1]]],
  ])
  equal(
    homeCases(visit(...Array.from({ length: 30 }, (_, at): [InteractionKind, number] => ['view', at])))
      .length,
    4,
  )
})

test('a buyer with many visits has no more main pages than others with several, evenly spread', () => {
  const visitsOf = (count: number): ItemInteraction[] =>
    Array.from({ length: count }, (_, at) => ({ kind: 'view', item: at, day: 10 + (7 * at) / count }))
  const homesOf = (buyers: ItemInteraction[][]) =>
    casesBetween({ items, buyers, places: buyers.map(() => null) }, { from: 10, to: 17, most: 1_000 })
  const cases = homesOf([visitsOf(80), visitsOf(5)])
  deepEqual(
    [0, 1].map((buyer) => cases.filter((it) => it.buyer === buyer).length),
    [8, 4],
  )
  const days = cases.filter((it) => it.buyer === 0).map((it) => it.query.day)
  ok(days[0]! < 11 && days.at(-1)! > 15)
})

test('remaining credit is what was left before the visit, whatever is bought in it', () => {
  const credit = {
    limits: { creditTiyin: 1_000 },
    histories: new Map([
      [1, { atMs: Float64Array.of(5 * dayMs, 10 * dayMs), outstandingTiyin: Float64Array.of(300, 1_100) }],
      [2, { atMs: Float64Array.of(9 * dayMs), outstandingTiyin: Float64Array.of(1_200) }],
      [3, { atMs: Float64Array.of(10 * dayMs), outstandingTiyin: Float64Array.of(100) }],
    ]),
  }
  const bought = visit(['view', 1], ['cart', 1], ['purchase', 1], ['view', 2], ['cart', 2], ['view', 3])
  const earlier: ItemInteraction = { kind: 'view', item: 30, day: 5 }
  const remaining = (buyer: number) => {
    const buyers = Array.from({ length: 5 }, (_, at) => (at === buyer ? [earlier, ...bought] : []))
    const known = { items, buyers, places: buyers.map(() => null), credit }
    const cases = casesBetween(known, { from: 10, to: 11, most: 1_000 })
    deepEqual(
      cases.map((it) => it.query.layer),
      ['main_page', 'offer_page', 'cart_page'],
    )
    return new Set(cases.map((it) => it.query.remainingCreditTiyin))
  }
  deepEqual(remaining(1), new Set([700]))
  deepEqual(remaining(2), new Set([0]), 'the limit was lowered')
  deepEqual(remaining(3), new Set([undefined]), 'the first purchase on credit is in the visit')
  deepEqual(remaining(4), new Set([undefined]))
})
