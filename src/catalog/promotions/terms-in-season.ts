// What an offer costs at an instant: a pure function of the offer and of the promotions that run. Of several promotions
// one makes the price, the one that makes it lowest; prices are never raised, and never fall below one tiyin.

import { bestConditionsFirst } from '../price.ts'
import type { ConditionSheet, ListedTerms } from '../sheets.ts'
import type { Effect, PlannedPromotion, Season, Whereabouts } from './season.ts'

export type Place = Pick<Whereabouts, 'isModerated' | 'categoryIds' | 'brandId'>

/** The offer as it is sold in a season; itself when no promotion is about it. */
export function inSeason<T extends ListedTerms>(offer: T, place: Place, season: Season): T {
  const { id, partnerId } = offer
  const running = bestFirst(season.of({ id, partnerId, ...place }), offer.priceTiyin)
  if (running.length === 0) return offer
  return {
    ...offer,
    ...pricesUnder(running[0]!.effect, offer),
    prepaymentTiyin: prepaymentUnder(running[0]!.effect, offer),
    conditions: conditionsUnder(running, offer),
    promotions: running.map((it) => it.sheet),
  }
}

export interface Prices {
  priceTiyin: number
  oldPriceTiyin: number | null
}

/** The prices alone, for those who put many offers in order. */
export function pricesInSeason(offer: Prices, whereabouts: Whereabouts, season: Season): Prices {
  const [best] = bestFirst(season.of(whereabouts), offer.priceTiyin)
  return best ? pricesUnder(best.effect, offer) : offer
}

/** The lowest price first; of equal ones the promotion that began later, then the older record. */
const bestFirst = (
  promotions: readonly PlannedPromotion[],
  priceTiyin: number,
): readonly PlannedPromotion[] =>
  promotions.length < 2
    ? promotions
    : promotions.toSorted(
        (a, b) =>
          reduced(a.effect, priceTiyin) - reduced(b.effect, priceTiyin) ||
          b.startsAtMs - a.startsAtMs ||
          a.sheet.id - b.sheet.id,
      )

/** Parts of a tiyin are the buyer's, so that even one percent of a small price is a discount that counts. */
export function reduced(effect: Effect, priceTiyin: number): number {
  if (effect.kind === 'discount') return Math.max(1, Math.floor((priceTiyin * (100 - effect.percent)) / 100))
  return effect.kind === 'price' ? Math.min(priceTiyin, effect.priceTiyin) : priceTiyin
}

/** What a promotion lowers shows the price that it had, or the one before that when it was higher still. */
function pricesUnder(effect: Effect, { priceTiyin, oldPriceTiyin }: Prices): Prices {
  const now = reduced(effect, priceTiyin)
  return now === priceTiyin
    ? { priceTiyin, oldPriceTiyin }
    : { priceTiyin: now, oldPriceTiyin: Math.max(priceTiyin, oldPriceTiyin ?? 0) }
}

/** Nobody pays more ahead than the whole. */
const prepaymentUnder = (effect: Effect, { priceTiyin, prepaymentTiyin }: ListedTerms): number | null =>
  prepaymentTiyin === null ? null : Math.min(prepaymentTiyin, reduced(effect, priceTiyin))

/** Its own, those of its own that only hold in a promotion that runs, and those that promotions give. */
function conditionsUnder(running: readonly PlannedPromotion[], offer: ListedTerms): ConditionSheet[] {
  const given = running.flatMap(({ effect, sheet }) =>
    effect.kind === 'conditions'
      ? effect.conditions
          .filter((it) => it.partnerId === offer.partnerId)
          .map(({ partnerId: _partnerId, ...it }) => ({ ...it, promotionId: sheet.id }))
      : [],
  )
  const bound = offer.boundConditions.filter((it) => running.some(({ sheet }) => sheet.id === it.promotionId))
  if (given.length + bound.length === 0) return offer.conditions
  const all = new Map<number, ConditionSheet>()
  for (const it of [...offer.conditions, ...bound, ...given]) if (!all.has(it.id)) all.set(it.id, it)
  return bestConditionsFirst([...all.values()])
}
