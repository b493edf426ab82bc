// The price of an offer under the running promotions, as pure functions. The promotion with the lowest price wins; prices
// are never raised and never below one tiyin.

import { bestConditionsFirst } from '../offers/price.ts'
import type { LoanConditionDetails, UsualTerms } from '../offers/offer-details.ts'
import type { Effect, ScheduledPromotion, PricingWindow, OfferMembership } from './schedule.ts'

export type OfferPlace = Pick<OfferMembership, 'isModerated' | 'categoryIds' | 'brandId'>

/** The offer with the promotions of a window; the same object when there are none. */
export function applyPromotions<T extends UsualTerms>(offer: T, place: OfferPlace, window: PricingWindow): T {
  const { id, partnerId } = offer
  const running = bestFirst(window.promotionsOf({ id, partnerId, ...place }), offer.priceTiyin)
  if (running.length === 0) return offer
  return {
    ...offer,
    ...pricesUnder(running[0]!.effect, offer),
    prepaymentTiyin: prepaymentUnder(running[0]!.effect, offer),
    conditions: conditionsUnder(running, offer),
    promotions: running.map((it) => it.details),
  }
}

export interface Prices {
  priceTiyin: number
  oldPriceTiyin: number | null
}

/** Only the prices, for sorting many offers. */
export function applyPrices(offer: Prices, whereabouts: OfferMembership, window: PricingWindow): Prices {
  const [best] = bestFirst(window.promotionsOf(whereabouts), offer.priceTiyin)
  return best ? pricesUnder(best.effect, offer) : offer
}

/** The lowest price first, then the later start, then the lower id. */
const bestFirst = (
  promotions: readonly ScheduledPromotion[],
  priceTiyin: number,
): readonly ScheduledPromotion[] =>
  promotions.length < 2
    ? promotions
    : promotions.toSorted(
        (a, b) =>
          reducedPrice(a.effect, priceTiyin) - reducedPrice(b.effect, priceTiyin) ||
          b.startsAtMs - a.startsAtMs ||
          a.details.id - b.details.id,
      )

/** Rounded down, so that one percent of a small price is a valid discount. */
export function reducedPrice(effect: Effect, priceTiyin: number): number {
  if (effect.kind === 'discount') return Math.max(1, Math.floor((priceTiyin * (100 - effect.percent)) / 100))
  return effect.kind === 'price' ? Math.min(priceTiyin, effect.priceTiyin) : priceTiyin
}

/** The old price is the usual price, or the stored old price when that is higher. */
function pricesUnder(effect: Effect, { priceTiyin, oldPriceTiyin }: Prices): Prices {
  const now = reducedPrice(effect, priceTiyin)
  return now === priceTiyin
    ? { priceTiyin, oldPriceTiyin }
    : { priceTiyin: now, oldPriceTiyin: Math.max(priceTiyin, oldPriceTiyin ?? 0) }
}

/** A prepayment is never more than the price. */
const prepaymentUnder = (effect: Effect, { priceTiyin, prepaymentTiyin }: UsualTerms): number | null =>
  prepaymentTiyin === null ? null : Math.min(prepaymentTiyin, reducedPrice(effect, priceTiyin))

/** Its own loan conditions, those bound to a running promotion, and those that promotions give. */
function conditionsUnder(running: readonly ScheduledPromotion[], offer: UsualTerms): LoanConditionDetails[] {
  const given = running.flatMap(({ effect, details }) =>
    effect.kind === 'conditions'
      ? effect.conditions
          .filter((it) => it.partnerId === offer.partnerId)
          .map(({ partnerId: _partnerId, ...it }) => ({ ...it, promotionId: details.id }))
      : [],
  )
  const bound = offer.boundConditions.filter((it) =>
    running.some(({ details }) => details.id === it.promotionId),
  )
  if (given.length + bound.length === 0) return offer.conditions
  const all = new Map<number, LoanConditionDetails>()
  for (const it of [...offer.conditions, ...bound, ...given]) if (!all.has(it.id)) all.set(it.id, it)
  return bestConditionsFirst([...all.values()])
}
