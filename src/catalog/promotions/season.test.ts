import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../recommendations/ml/random.ts'
import { plannedPromotion } from '../../../test/support/planned-promotion.ts'
import { Calendar, type PlannedPromotion, type Whereabouts } from './season.ts'

const at = (ms: number) => new Date(ms)
const idsAt = (calendar: Calendar, ms: number) => calendar.at(at(ms)).promotions.map((it) => it.sheet.id)

test('a promotion runs from the instant of its start until just before that of its end', () => {
  const calendar = new Calendar(1, [plannedPromotion({ id: 7, from: 1_000, until: 2_000 })])
  deepEqual(
    [0, 999, 1_000, 1_001, 1_999, 2_000, 2_001].map((ms) => idsAt(calendar, ms).length),
    [0, 0, 1, 1, 1, 0, 0],
  )
})

test('one without an end runs until somebody ends it', () => {
  const calendar = new Calendar(1, [plannedPromotion({ id: 7, from: 1_000, until: Infinity })])
  deepEqual(idsAt(calendar, 8_000_000_000_000_000), [7])
  equal(calendar.at(at(5_000)).untilMs, Infinity)
})

test('a season says how long it lasts, and whoever asks in it gets the same one', () => {
  const calendar = new Calendar(1, [
    plannedPromotion({ id: 1, from: 1_000, until: 3_000 }),
    plannedPromotion({ id: 2, from: 2_000, until: 3_000 }),
  ])
  const lasts = (ms: number) => {
    const { fromMs, untilMs } = calendar.at(at(ms))
    return [fromMs, untilMs]
  }
  deepEqual(lasts(0), [-Infinity, 1_000])
  deepEqual(lasts(1_500), [1_000, 2_000])
  deepEqual(lasts(2_000), [2_000, 3_000])
  deepEqual(lasts(9_000), [3_000, Infinity])
  const season = calendar.at(at(1_200))
  equal(calendar.at(at(1_999)), season)
  ok(calendar.at(at(2_000)) !== season)
})

test('a shop without promotions has one season', () => {
  const { isQuiet, fromMs, untilMs } = new Calendar(1, []).at(at(5))
  deepEqual([isQuiet, fromMs, untilMs], [true, -Infinity, Infinity])
})

/** The plain way: look at every promotion. */
const plainly = (promotions: readonly PlannedPromotion[], ms: number, it: Whereabouts): number[] =>
  promotions
    .filter((one) => one.startsAtMs <= ms && ms < one.endsAtMs)
    .filter(
      ({ members }) =>
        members[it.isModerated ? 'moderatedOfferIds' : 'offerIds'].includes(it.id) ||
        members.partnerIds.includes(it.partnerId) ||
        (it.brandId !== null && members.brandIds.includes(it.brandId)) ||
        it.categoryIds.some((id) => members.categoryIds.includes(id)),
    )
    .map((one) => one.sheet.id)

test('at any instant an offer is in those promotions that a plain look finds, each once', () => {
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
    const calendar = new Calendar(1, promotions)
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
        calendar
          .at(at(ms))
          .of(whereabouts)
          .map((it) => it.sheet.id)
          .toSorted((a, b) => a - b),
        plainly(promotions, ms, whereabouts),
      )
    }
  }
})
