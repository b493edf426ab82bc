import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { plannedPromotion } from '../../../test/support/planned-promotion.ts'
import { PromotionSchedule, type ScheduledPromotion, type OfferMembership } from './schedule.ts'

const at = (ms: number) => new Date(ms)
const idsAt = (schedule: PromotionSchedule, ms: number) =>
  schedule.windowAt(at(ms)).promotions.map((it) => it.details.id)

test('a promotion runs from the instant of its start until just before that of its end', () => {
  const schedule = new PromotionSchedule(1, [plannedPromotion({ id: 7, from: 1_000, until: 2_000 })])
  deepEqual(
    [0, 999, 1_000, 1_001, 1_999, 2_000, 2_001].map((ms) => idsAt(schedule, ms).length),
    [0, 0, 1, 1, 1, 0, 0],
  )
})

test('a promotion without an end runs until it is ended', () => {
  const schedule = new PromotionSchedule(1, [plannedPromotion({ id: 7, from: 1_000, until: Infinity })])
  deepEqual(idsAt(schedule, 8_000_000_000_000_000), [7])
  equal(schedule.windowAt(at(5_000)).untilMs, Infinity)
})

test('a pricing window knows its limits, and every instant in it returns the same window', () => {
  const schedule = new PromotionSchedule(1, [
    plannedPromotion({ id: 1, from: 1_000, until: 3_000 }),
    plannedPromotion({ id: 2, from: 2_000, until: 3_000 }),
  ])
  const lasts = (ms: number) => {
    const { fromMs, untilMs } = schedule.windowAt(at(ms))
    return [fromMs, untilMs]
  }
  deepEqual(lasts(0), [-Infinity, 1_000])
  deepEqual(lasts(1_500), [1_000, 2_000])
  deepEqual(lasts(2_000), [2_000, 3_000])
  deepEqual(lasts(9_000), [3_000, Infinity])
  const window = schedule.windowAt(at(1_200))
  equal(schedule.windowAt(at(1_999)), window)
  ok(schedule.windowAt(at(2_000)) !== window)
})

test('a schedule without promotions has one window', () => {
  const { isEmpty, fromMs, untilMs } = new PromotionSchedule(1, []).windowAt(at(5))
  deepEqual([isEmpty, fromMs, untilMs], [true, -Infinity, Infinity])
})

/** The simple way: check every promotion. */
const plainly = (promotions: readonly ScheduledPromotion[], ms: number, it: OfferMembership): number[] =>
  promotions
    .filter((one) => one.startsAtMs <= ms && ms < one.endsAtMs)
    .filter(
      ({ members }) =>
        members[it.isModerated ? 'moderatedOfferIds' : 'offerIds'].includes(it.id) ||
        members.partnerIds.includes(it.partnerId) ||
        (it.brandId !== null && members.brandIds.includes(it.brandId)) ||
        it.categoryIds.some((id) => members.categoryIds.includes(id)),
    )
    .map((one) => one.details.id)

test('at any instant the schedule finds the promotions of an offer that a plain scan finds, each once', () => {
  const random = seededRandom(11)
  const below = (most: number) => Math.floor(random() * most)
  const some = () => Array.from({ length: below(3) }, () => 1 + below(6))
  for (let round = 0; round < 60; round++) {
    const promotions = Array.from({ length: below(8) }, (_, id) => {
      const from = below(20)
      return plannedPromotion({
        id: id + 1,
        from,
        until: random() < 0.1 ? Infinity : from + 1 + below(10),
        members: {
          offerIds: some(),
          moderatedOfferIds: some(),
          categoryIds: some(),
          brandIds: some(),
          partnerIds: some(),
        },
      })
    })
    const schedule = new PromotionSchedule(1, promotions)
    for (let asked = 0; asked < 200; asked++) {
      const ms = below(32)
      const whereabouts = {
        id: 1 + below(6),
        isModerated: random() < 0.3,
        partnerId: 1 + below(6),
        categoryIds: [1 + below(6)],
        brandId: random() < 0.2 ? null : 1 + below(6),
      }
      deepEqual(
        schedule
          .windowAt(at(ms))
          .promotionsOf(whereabouts)
          .map((it) => it.details.id)
          .toSorted((a, b) => a - b),
        plainly(promotions, ms, whereabouts),
      )
    }
  }
})
