import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  conditions,
  discount,
  fixedPrice,
  plannedPromotion,
} from '../../../test/support/planned-promotion.ts'
import { maxPriceTiyin } from '../../base/money.ts'
import { seededRandom } from '../../ml/random.ts'
import { discountPercent, validOldPrice } from '../offers/price.ts'
import type { LoanConditionDetails, UsualTerms } from '../offers/offer-details.ts'
import { type Effect, type ScheduledPromotion, PricingWindow } from './schedule.ts'
import { applyPromotions, reducedPrice } from './price-offer.ts'

const place = { isModerated: false, categoryIds: [1], brandId: null }
const always = { fromMs: -Infinity, untilMs: Infinity }

const offer = (it: Partial<UsualTerms> = {}): UsualTerms =>
  ({
    id: 1,
    partnerId: 1,
    priceTiyin: 10_000,
    usualPriceTiyin: it.priceTiyin ?? 10_000,
    oldPriceTiyin: null,
    conditions: [],
    boundConditions: [],
    promotions: [],
    ...it,
  }) as UsualTerms

const under = (promotions: ScheduledPromotion[], it: Partial<UsualTerms> = {}) =>
  applyPromotions(offer(it), place, new PricingWindow(promotions, always))
const underEffects = (effects: Effect[], it: Partial<UsualTerms> = {}) =>
  under(
    effects.map((effect, at) => plannedPromotion({ id: at + 1, effect })),
    it,
  )

test('an offer without promotions is returned unchanged', () => {
  const untouched = offer()
  const window = new PricingWindow([plannedPromotion({ members: { offerIds: [2] } })], always)
  equal(applyPromotions(untouched, place, window), untouched)
})

test('prices under an effect', () => {
  const cases: [effect: Effect, price: number, expected: number][] = [
    [discount(10), 10_000, 9_000],
    [discount(33), 100, 67],
    // A fraction of a tiyin is rounded in favour of the buyer.
    [discount(1), 150, 148],
    [discount(50), 1, 1],
    [discount(99), 50, 1],
    [discount(99), maxPriceTiyin, 100_000_000_000],
    [discount(1), maxPriceTiyin - 1, 9_899_999_999_999],
    [fixedPrice(7_000), 10_000, 7_000],
    [fixedPrice(10_000), 10_000, 10_000],
    [fixedPrice(12_000), 10_000, 10_000],
    [conditions([9, 1, 12]), 10_000, 10_000],
  ]
  for (const [effect, price, expected] of cases)
    equal(reducedPrice(effect, price), expected, `${JSON.stringify(effect)} of ${price}`)
})

test('the old price is the usual price, or the stored old price when that is higher', () => {
  const shown = (oldPriceTiyin: number | null, effect: Effect) => {
    const it = underEffects([effect], { oldPriceTiyin })
    return [it.priceTiyin, it.oldPriceTiyin, discountPercent(it.priceTiyin, it.oldPriceTiyin)]
  }
  deepEqual(shown(null, discount(10)), [9_000, 10_000, -10])
  deepEqual(shown(12_000, discount(10)), [9_000, 12_000, -25])
  deepEqual(shown(9_500, discount(10)), [9_000, 10_000, -10])
  // It lowers nothing, so it changes nothing.
  deepEqual(shown(12_000, fixedPrice(11_000)), [10_000, 12_000, -17])
  deepEqual(shown(null, conditions([9, 1, 12])), [10_000, null, null])
  equal(underEffects([discount(10)]).usualPriceTiyin, 10_000)
})

test('of several promotions the lowest price wins; all are listed, the best first', () => {
  const it = underEffects([discount(10), fixedPrice(8_000), conditions([9, 1, 12]), discount(15)])
  equal(it.priceTiyin, 8_000)
  deepEqual(
    it.promotions.map(({ id }) => id),
    [2, 4, 1, 3],
  )
  // The same promotions make another order for a cheaper offer.
  deepEqual(
    underEffects([discount(10), fixedPrice(8_000)], { priceTiyin: 5_000 }).promotions.map(({ id }) => id),
    [1, 2],
  )
})

test('of promotions with equal prices the later start wins, then the lower id', () => {
  const [first, second, third] = [
    plannedPromotion({ id: 1, from: 100 }),
    plannedPromotion({ id: 2, from: 200 }),
    plannedPromotion({ id: 3, from: 200 }),
  ]
  for (const order of [
    [first, second, third],
    [third, second, first],
    [second, third, first],
  ])
    deepEqual(
      under(order as ScheduledPromotion[]).promotions.map(({ id }) => id),
      [2, 3, 1],
    )
})

const condition = (
  id: number,
  duration: number,
  promotionId: number | null = null,
): LoanConditionDetails => ({
  id,
  duration,
  commission: 0,
  promotionId,
})
const namesOf = (it: UsualTerms) => it.conditions.map(({ id, promotionId }) => [id, promotionId])

test('loan conditions of a promotion are added only to offers of their partner', () => {
  const own = { conditions: [condition(3, 12)] }
  const given = conditions([8, 1, 24], [9, 2, 36])
  deepEqual(namesOf(underEffects([given], own)), [
    [8, 1],
    [3, null],
  ])
  deepEqual(namesOf(underEffects([given], { ...own, partnerId: 2 })), [
    [9, 1],
    [3, null],
  ])
})

test('a loan condition that the offer has stays its own; of two promotions the better one gives it', () => {
  deepEqual(namesOf(underEffects([conditions([3, 1, 12])], { conditions: [condition(3, 12)] })), [[3, null]])
  const twice = [
    plannedPromotion({ id: 1, from: 100, effect: conditions([8, 1, 24]) }),
    plannedPromotion({ id: 2, from: 200, effect: conditions([8, 1, 24]) }),
  ]
  deepEqual(namesOf(under(twice)), [[8, 2]])
})

test('a loan condition bound to a promotion holds only while that one runs', () => {
  const bound = {
    conditions: [condition(3, 12)],
    boundConditions: [condition(4, 24, 1), condition(5, 36, 2)],
  }
  deepEqual(namesOf(under([plannedPromotion({ id: 1 })], bound)), [
    [4, 1],
    [3, null],
  ])
  deepEqual(namesOf(under([plannedPromotion({ id: 3 })], bound)), [[3, null]])
})

test('whatever runs, a price is never raised, never zero, and a discount is at least one percent', () => {
  const random = seededRandom(5)
  const below = (most: number) => Math.floor(random() * most)
  for (let round = 0; round < 20_000; round++) {
    const priceTiyin = random() < 0.3 ? 1 + below(200) : 1 + below(maxPriceTiyin)
    const effects = Array.from({ length: 1 + below(4) }, () =>
      random() < 0.6 ? discount(1 + below(99)) : fixedPrice(1 + below(2 * priceTiyin)),
    )
    const oldPriceTiyin = random() < 0.5 ? null : 1 + below(2 * priceTiyin)
    const it = underEffects(effects, { priceTiyin, oldPriceTiyin })
    const lowest = Math.min(...effects.map((effect) => reducedPrice(effect, priceTiyin)))
    equal(it.priceTiyin, lowest)
    ok(Number.isSafeInteger(lowest) && lowest >= 1 && lowest <= priceTiyin, String(lowest))
    for (const effect of effects)
      if (effect.kind === 'discount' && priceTiyin >= 100) {
        const price = reducedPrice(effect, priceTiyin)
        equal(validOldPrice(price, priceTiyin), priceTiyin, `${effect.percent}% of ${priceTiyin}`)
        ok((priceTiyin - price) * 100 >= priceTiyin * effect.percent)
      }
  }
})
