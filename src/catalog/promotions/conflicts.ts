// Promotions that reduce the price of the same offers at the same time. The lowest price wins, so one of them has no
// effect there.

import type { Reader } from '../../base/database.ts'
import { currentSchedule } from './current-schedule.ts'
import type { MemberField } from './promotion.ts'
import { type OfferMembership, PricingWindow, type ScheduledPromotion } from './schedule.ts'
import { offersNamed } from './store.ts'

export const maxConflicts = 100
const maxOffers = 200_000
const sampleSize = 5

export interface Conflict {
  first: ScheduledPromotion
  second: ScheduledPromotion
  fromMs: number
  /** Infinity while neither has an end. */
  untilMs: number
  /** How many offers are members of both. */
  count: number
  /** The first few; moderated offers are counted only. */
  sample: number[]
}

/** The conflicts from now on, by the start of the shared period. */
export async function findConflicts(read: Reader): Promise<{ conflicts: Conflict[]; isComplete: boolean }> {
  const reducing = reducingAfter((await currentSchedule(read)).promotions, read.now.getTime())
  const all = (field: MemberField) => [...new Set(reducing.flatMap((it) => it.members[field]))]
  const members = {
    offerIds: all('offerIds'),
    moderatedOfferIds: all('moderatedOfferIds'),
    categoryIds: all('categoryIds'),
    brandIds: all('brandIds'),
    partnerIds: all('partnerIds'),
  }
  const offers = reducing.length < 2 ? [] : await offersNamed(read, members, maxOffers)
  const conflicts = conflictsAmong(reducing, offers)
  return {
    conflicts: conflicts.slice(0, maxConflicts),
    isComplete: conflicts.length <= maxConflicts && offers.length < maxOffers,
  }
}

/** Loan conditions add up and never conflict. */
const reducingAfter = (promotions: readonly ScheduledPromotion[], nowMs: number) =>
  promotions.filter((it) => it.effect.kind !== 'conditions' && it.endsAtMs > nowMs)

/** Pairs that run at the same time and have offers in common. */
export function conflictsAmong(
  promotions: readonly ScheduledPromotion[],
  offers: readonly OfferMembership[],
): Conflict[] {
  const index = new PricingWindow(promotions, { fromMs: -Infinity, untilMs: Infinity })
  const found = new Map<string, Conflict>()
  for (const offer of offers) {
    const own = index.promotionsOf(offer).toSorted(byStart)
    for (const [at, first] of own.entries())
      for (const second of own.slice(at + 1))
        if (second.startsAtMs < first.endsAtMs) add(first, second, offer)
  }
  function add(first: ScheduledPromotion, second: ScheduledPromotion, { id, isModerated }: OfferMembership) {
    const key = `${first.details.id}/${second.details.id}`
    const known = found.get(key) ?? { first, second, ...sharedPeriod(first, second), count: 0, sample: [] }
    found.set(key, known)
    known.count++
    if (!isModerated && known.sample.length < sampleSize) known.sample.push(id)
  }
  return [...found.values()].toSorted((a, b) => a.fromMs - b.fromMs || byStart(a.first, b.first))
}

const byStart = (a: ScheduledPromotion, b: ScheduledPromotion): number =>
  a.startsAtMs - b.startsAtMs || a.details.id - b.details.id

const sharedPeriod = (first: ScheduledPromotion, second: ScheduledPromotion) => ({
  fromMs: Math.max(first.startsAtMs, second.startsAtMs),
  untilMs: Math.min(first.endsAtMs, second.endsAtMs),
})

/**
 * The promotion that wins for every shared offer, by the rules of `price-offer.ts`: the lowest price, then the later
 * start, then the lower id. Null when it depends on the price of the offer.
 */
export function winnerOf(first: ScheduledPromotion, second: ScheduledPromotion): number | null {
  const [one, other] = [first.effect, second.effect]
  const order = second.startsAtMs - first.startsAtMs || first.details.id - second.details.id
  const tie = order > 0 ? second : first
  if (one.kind === 'discount' && other.kind === 'discount')
    return (one.percent === other.percent ? tie : one.percent > other.percent ? first : second).details.id
  if (one.kind === 'price' && other.kind === 'price')
    return (one.priceTiyin === other.priceTiyin ? tie : one.priceTiyin < other.priceTiyin ? first : second)
      .details.id
  return null
}
