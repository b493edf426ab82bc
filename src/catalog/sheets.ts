// What is known of a thing for sale, put together from all that stands behind it: one sheet for an offer, one for a
// product with everything that sells it.

import type { MemoryKind } from '../base/memory.ts'
import type { Words } from '../http/language.ts'
import type { Image, LoanCondition, ModerationStatus, Offer, Product, Variant } from './goods.ts'

/** A promotion event that an offer takes part in now (SPEC-1 2.4). */
export interface PromotionSheet {
  id: number
  uuid: string
  title: string
  titleUz: string
  slug: string
}

export interface PartnerSheet {
  id: number
  name: string
  slug: string
  rating: number
  isRecommended: boolean
  creditActive: boolean
  logoPath: string | null
}

export type ConditionSheet = Pick<LoanCondition, 'id' | 'duration' | 'commission' | 'promotionId'>

/** An offer with its partner and the conditions that hold now. Its prices are those of now, too. */
export interface OfferTerms extends Omit<Offer, 'rating'> {
  /** What it costs when no promotion lowers it. */
  usualPriceTiyin: number
  /** Its own, else its partner's. */
  rating: number
  partner: PartnerSheet
  /** Those that are active, the best first. */
  conditions: ConditionSheet[]
  /** Those that it takes part in now, the one that makes the price first. */
  promotions: PromotionSheet[]
}

/** An offer as its partner said it: what is read, and remembered. Promotions are seen to when it is shown or sold. */
export interface ListedTerms extends OfferTerms {
  /** Active ones that it has only while a promotion runs. */
  boundConditions: ConditionSheet[]
}

/** All that a buyer is told of an offer, and all that a cart or an order judges. */
export interface OfferSheet extends OfferTerms {
  /** Set for moderated offers; an ordinary offer has been through it. */
  moderation: { uuid: string; status: ModerationStatus } | null
  /** The product's name, with the variant's. */
  name: Words
  slug: string
  product: { name: Words; slug: string }
  /** `/<category slug>/<slug>` */
  path: string
  images: Image[]
  categoryId: number
  brandId: number | null
}

export interface ListedOffer extends OfferSheet, ListedTerms {
  /** The page of the book of promotions that was open when it was read. */
  bookPage: number
}

export interface ProductSheet extends Product {
  brand: { id: number; name: string; slug: string } | null
  /** Its category and all above, from the top. */
  categoryPath: { id: number; slug: string; name: Words }[]
  variants: Variant[]
  /** Those that buyers see: in stock first, then cheapest. */
  offers: OfferTerms[]
  /** Those that buyers do not see; a change of one may show it. */
  hiddenOfferIds: number[]
  popularity: number
}

export interface ListedProduct extends ProductSheet {
  offers: ListedTerms[]
}

/** Lists of recommendations draw on all offers of a large shop, product pages on the popular ones. */
const maxOfferSheets = 60_000
const maxSheets = 20_000

const termsSubjects = (it: OfferTerms): string[] => [
  `partner/${it.partnerId}`,
  ...it.loanConditionIds.map((id) => `loan-condition/${id}`),
]

const behindOffer = (it: OfferSheet): string[] => [
  `product/${it.productId}`,
  `category/${it.categoryId}`,
  ...(it.variantId === null ? [] : [`variant/${it.variantId}`]),
  ...termsSubjects(it),
]

export const offerMemory: MemoryKind<ListedOffer> = {
  max: maxOfferSheets,
  subjects: (it) => [`offer/${it.id}`, ...behindOffer(it)],
}

export const moderatedOfferMemory: MemoryKind<ListedOffer> = {
  max: maxSheets,
  subjects: (it) => [`moderated-offer/${it.id}`, ...behindOffer(it)],
}

export const productMemory: MemoryKind<ListedProduct> = {
  max: maxSheets,
  subjects: (it) => [
    `product/${it.id}`,
    ...it.categoryPath.map(({ id }) => `category/${id}`),
    ...(it.brandId === null ? [] : [`brand/${it.brandId}`]),
    ...it.variants.map(({ id }) => `variant/${id}`),
    ...it.offers.flatMap((offer) => [`offer/${offer.id}`, ...termsSubjects(offer)]),
    ...it.hiddenOfferIds.map((id) => `offer/${id}`),
  ],
  // A new one, and one that comes from another product.
  touches: (event) =>
    event.type === 'OfferCreated' ||
    event.type === 'OfferChanged' ||
    event.type === 'VariantCreated' ||
    event.type === 'VariantChanged'
      ? [`product/${event.productId}`]
      : [],
}

/** Of offers that could be taken, the one to take: cheapest, then of the best rated partner, then the oldest. */
export const byWorth = (a: OfferTerms, b: OfferTerms): number =>
  Number(b.quantity > 0) - Number(a.quantity > 0) ||
  a.priceTiyin - b.priceTiyin ||
  b.partner.rating - a.partner.rating ||
  a.id - b.id

/** The name of what is offered: the product's with the variant's, in every language that has one. */
export function offerName(product: Words, variant: Words | null): Words {
  if (!variant) return product
  const languages = ['ru', 'uz', 'en'] as const
  const fallback = (words: Words) => words.ru ?? words.en ?? words.uz ?? ''
  return Object.fromEntries(
    languages
      .filter((it) => product[it] !== undefined || variant[it] !== undefined)
      .map((it) => [it, `${product[it] ?? fallback(product)}, ${variant[it] ?? fallback(variant)}`]),
  )
}
