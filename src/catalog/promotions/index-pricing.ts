// How the product index follows pricing windows: only members of promotions that started or ended are repriced.

import type { OfferPricing, IndexedOffer } from '../product-index/indexed-product.ts'
import type { ScheduledPromotion, PricingWindow } from './schedule.ts'
import { applyPrices } from './price-offer.ts'

/** The pricing of a window; undefined when it changes no prices. */
export const pricingOf = (window: PricingWindow): OfferPricing | undefined =>
  window.promotions.some(changesPrices)
    ? (offer, { brandId, categoryPath: categoryIds }) => {
        const { id, partnerId } = offer
        const isModerated = offer.isModerated ?? false
        const whereabouts = { id, isModerated, partnerId, categoryIds, brandId }
        const prices = applyPrices(offer, whereabouts, window)
        return prices.priceTiyin === offer.priceTiyin
          ? offer
          : ({ ...offer, ...prices } satisfies IndexedOffer)
      }
    : undefined

/** The promotions that change prices in only one of two windows, or differently in both. */
export function changedBetween(before: PricingWindow, after: PricingWindow): ScheduledPromotion[] {
  // The categories below a member may have changed, and with them the members.
  const keyOf = ({ details, version, members }: ScheduledPromotion) =>
    `${details.id}/${version}/${members.categoryIds.join()}`
  const [gone, come] = [before, after].map(
    ({ promotions }) => new Map(promotions.filter(changesPrices).map((it) => [keyOf(it), it])),
  ) as [Map<string, ScheduledPromotion>, Map<string, ScheduledPromotion>]
  return [...[...gone].filter(([key]) => !come.has(key)), ...[...come].filter(([key]) => !gone.has(key))].map(
    ([, it]) => it,
  )
}

const changesPrices = ({ effect }: ScheduledPromotion): boolean => effect.kind !== 'conditions'
