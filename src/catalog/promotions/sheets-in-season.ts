// Sheets as they are shown and sold: what was read or remembered of goods, at the prices of a season.

import {
  byWorth,
  type ListedOffer,
  type ListedProduct,
  type OfferSheet,
  type ProductSheet,
} from '../sheets.ts'
import type { Season } from './season.ts'
import { inSeason, type Place } from './terms-in-season.ts'

export const offerInSeason = (offer: ListedOffer, season: Season): OfferSheet =>
  onceIn(season, offer, () => inSeason(offer, placeOf(offer), season))

/** One and the same for one and the same sheet, so that others may keep what they made of it. */
function onceIn<T extends object>(season: Season, sheet: T, priced: () => T): T {
  if (season.isQuiet) return sheet
  const known = season.sold.get(sheet) as T | undefined
  if (known) return known
  const sold = priced()
  season.sold.set(sheet, sold)
  return sold
}

const placeOf = ({ moderation, categoryId, brandId }: OfferSheet): Place => ({
  isModerated: moderation !== null,
  categoryIds: [categoryId],
  brandId,
})

export const offersInSeason = (offers: Map<number, ListedOffer>, season: Season): Map<number, OfferSheet> =>
  season.isQuiet ? offers : new Map([...offers].map(([id, it]) => [id, offerInSeason(it, season)]))

export const productInSeason = (product: ListedProduct, season: Season): ProductSheet =>
  onceIn(season, product, () => priced(product, season))

/** A cheaper offer may come to stand before the others. */
function priced(product: ListedProduct, season: Season): ListedProduct {
  const place = { isModerated: false, categoryIds: [product.categoryId], brandId: product.brandId }
  const offers = product.offers.map((it) => inSeason(it, place, season))
  return offers.every((it, at) => it === product.offers[at])
    ? product
    : { ...product, offers: offers.toSorted(byWorth) }
}

export const productsInSeason = (
  products: Map<number, ListedProduct>,
  season: Season,
): Map<number, ProductSheet> =>
  season.isQuiet ? products : new Map([...products].map(([id, it]) => [id, productInSeason(it, season)]))
