// A product as the index holds it: everything by which it is found, counted and sorted.

import type { AttributeValues } from '../attributes/attribute.ts'
import type { IndexedTexts, SuggestedTitles } from '../../search/index.ts'

export const regions = ['home', 'global'] as const
export type Region = (typeof regions)[number]

export interface IndexedProduct extends IndexedTexts, SuggestedTitles {
  id: number
  /** From the root of the tree to its own category. */
  categoryPath: readonly number[]
  createdAtMs: number
  /** 0 or more. Lists use the order, searches the logarithm. */
  popularity: number
  /** Values that are filtered and counted, by code. */
  attributes?: AttributeValues
  /** Visible and active offers at their usual prices. Moderated ones are approved; lists do not show them. */
  offers: readonly IndexedOffer[]
}

export interface IndexedOffer {
  id: number
  partnerId: number
  priceTiyin: number
  oldPriceTiyin: number | null
  quantity: number
  rating: number
  regions: readonly Region[]
  /** Moderated offers have ids of their own. */
  isModerated?: boolean
}

/** Applies the running promotions to an offer. */
export type OfferPricing = (
  offer: IndexedOffer,
  product: Pick<IndexedProduct, 'brandId' | 'categoryPath'>,
) => IndexedOffer

/** Products that have any of these ids, or belong to any of them. */
export interface ProductScope {
  productIds: readonly number[]
  categoryIds: readonly number[]
  brandIds: readonly number[]
  partnerIds: readonly number[]
}

/** What a list shows of a product in a region. */
export interface RegionSummary {
  priceTiyin: number | null
  rating: number | null
  /** Percent off a valid old price, unrounded; 0 for none. */
  discount: number | null
  inStock: boolean
  /** The best ordinary offer in stock, and the best moderated one. */
  ordinary: IndexedOffer | undefined
  moderated: IndexedOffer | undefined
  /** The moderated one is the better of the two. */
  isModeratedBetter: boolean
}

/** An old price counts from this discount on. */
const minDiscountPercent = 1

export function summaryIn({ offers }: Pick<IndexedProduct, 'offers'>, region: Region): RegionSummary {
  let best: IndexedOffer | undefined
  let moderated: IndexedOffer | undefined
  for (const it of offers) {
    if (!it.regions.includes(region)) continue
    if (!it.isModerated) best = best && !isBetter(it, best) ? best : it
    else if (it.quantity > 0) moderated = moderated && !isBetter(it, moderated) ? moderated : it
  }
  const ordinary = best && best.quantity > 0 ? best : undefined
  return {
    priceTiyin: best?.priceTiyin ?? null,
    rating: best?.rating ?? null,
    discount: best ? discountOf(best) : null,
    inStock: ordinary !== undefined,
    ordinary,
    moderated,
    isModeratedBetter: moderated !== undefined && (!ordinary || isBetter(moderated, ordinary)),
  }
}

/** The partners that offer a product in a region. */
export const partnersIn = ({ offers }: Pick<IndexedProduct, 'offers'>, region: Region): number[] => {
  const partners: number[] = []
  for (const it of offers)
    if (!it.isModerated && it.regions.includes(region) && !partners.includes(it.partnerId))
      partners.push(it.partnerId)
  return partners.length > 1 ? partners.sort((a, b) => a - b) : partners
}

/** In stock first, then the cheaper, then the better rated, then the older. */
function isBetter(one: IndexedOffer, other: IndexedOffer): boolean {
  if (one.quantity > 0 !== other.quantity > 0) return one.quantity > 0
  return (one.priceTiyin - other.priceTiyin || other.rating - one.rating || one.id - other.id) < 0
}

function discountOf({ priceTiyin, oldPriceTiyin }: IndexedOffer): number {
  if (oldPriceTiyin === null || oldPriceTiyin <= priceTiyin) return 0
  const percent = (100 * (oldPriceTiyin - priceTiyin)) / oldPriceTiyin
  return percent >= minDiscountPercent ? percent : 0
}
