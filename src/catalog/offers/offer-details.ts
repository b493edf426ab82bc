// Offer details and product details: entities joined with everything that is shown or checked with them, and their caches.

import type { CacheKind } from '../../base/cache.ts'
import type { ProductAttribute } from '../attributes/attribute.ts'
import type { LocalizedText } from '../../http/language.ts'
import type { Image, LoanCondition, ModerationStatus, Offer, Product, Variant } from '../entities/entities.ts'

/** A running promotion of an offer (SPEC-1 2.4). */
export interface PromotionDetails {
  id: number
  uuid: string
  title: string
  titleUz: string
  titleEn: string
  slug: string
}

export interface PartnerDetails {
  id: number
  name: string
  slug: string
  rating: number
  isRecommended: boolean
  creditActive: boolean
  logoPath: string | null
}

export type LoanConditionDetails = Pick<LoanCondition, 'id' | 'duration' | 'commission' | 'promotionId'> &
  Partial<Pick<LoanCondition, 'earlyCommissionPercent'>>

/** An offer with its partner and current loan conditions, at its current price. */
export interface OfferTerms extends Omit<Offer, 'rating'> {
  /** The price without promotions. */
  usualPriceTiyin: number
  /** Its own rating, else its partner's. */
  rating: number
  partner: PartnerDetails
  /** Active loan conditions, the best first. */
  conditions: LoanConditionDetails[]
  /** Running promotions, the one that sets the price first. */
  promotions: PromotionDetails[]
}

/** The conditions that a buyer may choose now: none while the credit of the partner is inactive (SPEC-2 4.6.5). */
export const openConditions = ({
  conditions,
  partner,
}: Pick<OfferTerms, 'conditions' | 'partner'>): readonly LoanConditionDetails[] =>
  partner.creditActive ? conditions : []

/** An offer without promotions: what is read and cached. Promotions are applied on use. */
export interface UsualTerms extends OfferTerms {
  /** Active loan conditions that hold only while a promotion runs. */
  boundConditions: LoanConditionDetails[]
}

/** All that is shown of an offer, and all that carts and orders check. */
export interface OfferDetails extends OfferTerms {
  /** Null for ordinary offers. */
  moderation: { uuid: string; status: ModerationStatus } | null
  /** The product's name, with the variant's. */
  name: LocalizedText
  slug: string
  product: { name: LocalizedText; slug: string }
  /** A generated picture has this colour. */
  variantColour: string | null
  /** `/<category slug>/<slug>` */
  path: string
  images: Image[]
  categoryId: number
  brandId: number | null
}

export interface UsualOffer extends OfferDetails, UsualTerms {
  /** The schedule version when it was read. */
  scheduleVersion: number
}

export interface ProductDetails extends Product {
  brand: { id: number; name: string; slug: string } | null
  /** From the root to its own category. */
  categoryPath: { id: number; slug: string; name: LocalizedText }[]
  variants: Variant[]
  /** Visible offers: in stock first, then cheapest. */
  offers: OfferTerms[]
  /** A change may make one of them visible. */
  hiddenOfferIds: number[]
  popularity: number
  /** In the order in which they are shown. */
  attributeValues: ProductAttribute[]
}

export interface UsualProduct extends ProductDetails {
  offers: UsualTerms[]
}

/** Recommendation lists use all offers of a large shop, product pages mostly the popular ones. */
const maxOffers = 60_000
const maxDetails = 20_000

const termsDependencies = (it: OfferTerms): string[] => [
  `partner/${it.partnerId}`,
  ...it.loanConditionIds.map((id) => `loan-condition/${id}`),
]

const offerDependencies = (it: OfferDetails): string[] => [
  `product/${it.productId}`,
  `category/${it.categoryId}`,
  ...(it.variantId === null ? [] : [`variant/${it.variantId}`]),
  ...termsDependencies(it),
]

export const offerCache: CacheKind<UsualOffer> = {
  max: maxOffers,
  subjects: (it) => [`offer/${it.id}`, ...offerDependencies(it)],
}

export const moderatedOfferCache: CacheKind<UsualOffer> = {
  max: maxDetails,
  subjects: (it) => [`moderated-offer/${it.id}`, ...offerDependencies(it)],
}

export const productCache: CacheKind<UsualProduct> = {
  max: maxDetails,
  subjects: (it) => [
    `product/${it.id}`,
    ...it.categoryPath.map(({ id }) => `category/${id}`),
    ...(it.brandId === null ? [] : [`brand/${it.brandId}`]),
    ...it.variants.map(({ id }) => `variant/${id}`),
    ...it.offers.flatMap((offer) => [`offer/${offer.id}`, ...termsDependencies(offer)]),
    ...it.hiddenOfferIds.map((id) => `offer/${id}`),
    ...it.attributeValues.map(({ attribute }) => `attribute/${attribute.id}`),
  ],
  // New ones, and those that moved from another product.
  alsoAffects: (event) =>
    event.type === 'OfferCreated' ||
    event.type === 'OfferChanged' ||
    event.type === 'VariantCreated' ||
    event.type === 'VariantChanged'
      ? [`product/${event.productId}`]
      : [],
}

/** In stock first, then the cheapest, then the best rated partner, then the oldest. */
export const bestOfferFirst = (a: OfferTerms, b: OfferTerms): number =>
  Number(b.quantity > 0) - Number(a.quantity > 0) ||
  a.priceTiyin - b.priceTiyin ||
  b.partner.rating - a.partner.rating ||
  a.id - b.id

/** The product's name with the variant's, in every language that has one. */
export function offerName(product: LocalizedText, variant: LocalizedText | null): LocalizedText {
  if (!variant) return product
  const languages = ['ru', 'uz', 'en'] as const
  const fallback = (words: LocalizedText) => words.ru ?? words.en ?? words.uz ?? ''
  return Object.fromEntries(
    languages
      .filter((it) => product[it] !== undefined || variant[it] !== undefined)
      .map((it) => [it, `${product[it] ?? fallback(product)}, ${variant[it] ?? fallback(variant)}`]),
  )
}
