// What stands on the shelves, as the shop keeps it.

import type { Words } from '../http/language.ts'

/** What the shop adds to every record: how often it changed, and when. */
export interface Kept {
  id: number
  version: number
  createdAt: Date
  updatedAt: Date
}

/** What somebody said of a thing. Without an id, the shop finds one. */
export type Said<G extends Kept> = Omit<G, keyof Kept> & { id?: number }

export interface Brand extends Kept {
  slug: string
  name: string
}

/** A shop that sells through us. */
export interface Partner extends Kept {
  slug: string
  name: string
  rating: number
  isRecommended: boolean
  creditActive: boolean
  logoPath: string | null
}

/** How a partner lets buyers pay in instalments: for so many months, for so many percent more. */
export interface LoanCondition extends Kept {
  partnerId: number
  duration: number
  commission: number
  isActive: boolean
  promotionId: number | null
}

export interface Image {
  lgPath: string
  mdPath: string
  smPath: string
}

export interface Product extends Kept {
  categoryId: number
  brandId: number | null
  slug: string
  name: Words
  description: Words
  images: Image[]
}

export interface Variant extends Kept {
  productId: number
  name: Words
  attributes: Record<string, string>
}

export type Region = 'home' | 'global'

/** A partner's word: this product at this price, so many of them. */
export interface Offer extends Kept {
  productId: number
  variantId: number | null
  partnerId: number
  priceTiyin: number
  oldPriceTiyin: number | null
  quantity: number
  isVisible: boolean
  isActive: boolean
  regions: Region[]
  loanConditionIds: number[]
  hasDailyPayment: boolean
  prepaymentTiyin: number | null
  reservationMinutes: number | null
  /** Its own; null when its partner's counts. */
  rating: number | null
}

export const moderationStatuses = ['draft', 'pending', 'approved', 'rejected'] as const
export type ModerationStatus = (typeof moderationStatuses)[number]

/** An offer that somebody of the shop must look at before it is sold. */
export interface ModeratedOffer extends Offer {
  uuid: string
  status: ModerationStatus
  /** Why it was rejected. */
  reason: string | null
}

/** Whether buyers see it at all. */
export const isShown = (it: Pick<Offer, 'isVisible' | 'isActive'>): boolean => it.isVisible && it.isActive
