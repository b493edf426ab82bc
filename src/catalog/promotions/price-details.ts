// Offer and product details at the prices of a pricing window.

import {
  bestOfferFirst,
  type UsualOffer,
  type UsualProduct,
  type OfferDetails,
  type ProductDetails,
} from '../offers/offer-details.ts'
import type { PricingWindow } from './schedule.ts'
import { applyPromotions, type OfferPlace } from './price-offer.ts'

export const priceOffer = (offer: UsualOffer, window: PricingWindow): OfferDetails =>
  pricedOnce(window, offer, () => applyPromotions(offer, placeOf(offer), window))

/** Returns the same object for the same details, so that callers may cache by it. */
function pricedOnce<T extends object>(window: PricingWindow, details: T, priced: () => T): T {
  if (window.isEmpty) return details
  const known = window.priced.get(details) as T | undefined
  if (known) return known
  const sold = priced()
  window.priced.set(details, sold)
  return sold
}

const placeOf = ({ moderation, categoryId, brandId }: OfferDetails): OfferPlace => ({
  isModerated: moderation !== null,
  categoryIds: [categoryId],
  brandId,
})

export const priceOffers = (
  offers: Map<number, UsualOffer>,
  window: PricingWindow,
): Map<number, OfferDetails> => {
  if (window.isEmpty) return offers
  const sold = new Map<number, OfferDetails>()
  // Entries would be an array each.
  offers.forEach((it, id) => sold.set(id, priceOffer(it, window)))
  return sold
}

export const priceProduct = (product: UsualProduct, window: PricingWindow): ProductDetails =>
  pricedOnce(window, product, () => priced(product, window))

/** A reduced offer may become the first. */
function priced(product: UsualProduct, window: PricingWindow): UsualProduct {
  const place = { isModerated: false, categoryIds: [product.categoryId], brandId: product.brandId }
  const offers = product.offers.map((it) => applyPromotions(it, place, window))
  return offers.every((it, at) => it === product.offers[at])
    ? product
    : { ...product, offers: offers.toSorted(bestOfferFirst) }
}

export const priceProducts = (
  products: Map<number, UsualProduct>,
  window: PricingWindow,
): Map<number, ProductDetails> =>
  window.isEmpty ? products : new Map([...products].map(([id, it]) => [id, priceProduct(it, window)]))
