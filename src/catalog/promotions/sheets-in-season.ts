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

/** One and the same for one and the same offer, so that others may keep what they made of it. */
export function offerInSeason(offer: ListedOffer, season: Season): OfferSheet {
  if (season.isQuiet) return offer
  const known = season.sold.get(offer) as OfferSheet | undefined
  if (known) return known
  const sold = inSeason(offer, placeOf(offer), season)
  season.sold.set(offer, sold)
  return sold
}

const placeOf = ({ moderation, categoryId, brandId }: OfferSheet): Place => ({
  isModerated: moderation !== null,
  categoryIds: [categoryId],
  brandId,
})

export const offersInSeason = (offers: Map<number, ListedOffer>, season: Season): Map<number, OfferSheet> =>
  season.isQuiet ? offers : new Map([...offers].map(([id, it]) => [id, offerInSeason(it, season)]))

/** A cheaper offer may come to stand before the others. */
export function productInSeason(product: ListedProduct, season: Season): ProductSheet {
  if (season.isQuiet) return product
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
