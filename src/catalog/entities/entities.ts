// The entities of the catalog as they are stored.

import type { LocalizedText } from '../../http/language.ts'

/** The fields that every entity has. */
export interface Entity {
  id: number
  version: number
  createdAt: Date
  updatedAt: Date
}

/** An entity to be written. Without an id, one is assigned. */
export type EntityInput<G extends Entity> = Omit<G, keyof Entity> & { id?: number }

export interface Brand extends Entity {
  slug: string
  name: string
}

/** A seller. */
export interface Partner extends Entity {
  slug: string
  name: string
  rating: number
  isRecommended: boolean
  creditActive: boolean
  logoPath: string | null
}

/** Instalment terms of a partner: duration in months, commission in percent. */
export interface LoanCondition extends Entity {
  partnerId: number
  duration: number
  commission: number
  /** How much of the commission is charged for instalments that are repaid before they are due, in percent. */
  earlyCommissionPercent: number
  isActive: boolean
  promotionId: number | null
}

export interface Image {
  lgPath: string
  mdPath: string
  smPath: string
}

export interface Product extends Entity {
  categoryId: number
  brandId: number | null
  slug: string
  name: LocalizedText
  description: LocalizedText
  images: Image[]
  /** By code; the definitions say what a value may be. */
  attributes: Record<string, string | number | boolean>
}

export interface Variant extends Entity {
  productId: number
  name: LocalizedText
  attributes: Record<string, string>
}

export type Region = 'home' | 'global'

/** A product (or variant) that a partner sells at a price. */
export interface Offer extends Entity {
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
  /** Its own rating; null to use its partner's. */
  rating: number | null
}

export const moderationStatuses = ['draft', 'pending', 'approved', 'rejected'] as const
export type ModerationStatus = (typeof moderationStatuses)[number]

/** An offer that an operator must approve before it is sold. */
export interface ModeratedOffer extends Offer {
  uuid: string
  status: ModerationStatus
  /** Why it was rejected. */
  reason: string | null
}

/** Whether buyers see it. */
export const isShown = (it: Pick<Offer, 'isVisible' | 'isActive'>): boolean => it.isVisible && it.isActive
