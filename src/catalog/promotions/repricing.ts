// How the shelf follows the seasons: only what a promotion that came or went is about gets other prices.

import type { Pricing, ShelfOffer } from '../shelf/item.ts'
import type { PlannedPromotion, Season } from './season.ts'
import { pricesInSeason } from './terms-in-season.ts'

/** How a season makes prices; undefined when it leaves all as they are. */
export const pricingOf = (season: Season): Pricing | undefined =>
  season.promotions.some(makesPrices)
    ? (offer, { brandId, categoryPath: categoryIds }) => {
        const { id, partnerId } = offer
        const isModerated = offer.isModerated ?? false
        const whereabouts = { id, isModerated, partnerId, categoryIds, brandId }
        const prices = pricesInSeason(offer, whereabouts, season)
        return prices.priceTiyin === offer.priceTiyin ? offer : ({ ...offer, ...prices } satisfies ShelfOffer)
      }
    : undefined

/** The promotions that make prices in one of two seasons and not in the other, or not in the same way. */
export function turnedBetween(before: Season, after: Season): PlannedPromotion[] {
  // The tree may have changed below a category that a promotion names, and with it what it is about.
  const keyOf = ({ sheet, version, members }: PlannedPromotion) =>
    `${sheet.id}/${version}/${members.categoryIds.join()}`
  const [gone, come] = [before, after].map(
    ({ promotions }) => new Map(promotions.filter(makesPrices).map((it) => [keyOf(it), it])),
  ) as [Map<string, PlannedPromotion>, Map<string, PlannedPromotion>]
  return [...[...gone].filter(([key]) => !come.has(key)), ...[...come].filter(([key]) => !gone.has(key))].map(
    ([, it]) => it,
  )
}

const makesPrices = ({ effect }: PlannedPromotion): boolean => effect.kind !== 'conditions'
