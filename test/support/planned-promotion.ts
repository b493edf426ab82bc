// Promotions as the pricing rules read them, for tests without a shop.

import type { Effect, ScheduledPromotion } from '../../src/catalog/promotions/schedule.ts'

interface PromotionInput {
  id?: number
  /** In milliseconds; unlimited by default. */
  from?: number
  until?: number
  effect?: Effect
  members?: Partial<ScheduledPromotion['members']>
  version?: number
}

export const plannedPromotion = ({
  id = 1,
  from = 0,
  until = Infinity,
  effect = { kind: 'discount', percent: 10 },
  members = { offerIds: [1] },
  version = 1,
}: PromotionInput = {}): ScheduledPromotion => ({
  details: {
    id,
    uuid: `uuid-${id}`,
    title: `Акция ${id}`,
    titleUz: `Aksiya ${id}`,
    titleEn: `Promotion ${id}`,
    slug: `promotion-${id}`,
  },
  version,
  startsAtMs: from,
  endsAtMs: until,
  effect,
  members: {
    offerIds: [],
    moderatedOfferIds: [],
    categoryIds: [],
    brandIds: [],
    partnerIds: [],
    ...members,
  },
})

export const discount = (percent: number): Effect => ({ kind: 'discount', percent })
export const fixedPrice = (priceTiyin: number): Effect => ({ kind: 'price', priceTiyin })
export const conditions = (...given: [id: number, partnerId: number, duration: number][]): Effect => ({
  kind: 'conditions',
  conditions: given.map(([id, partnerId, duration]) => ({
    id,
    partnerId,
    duration,
    commission: 0,
    promotionId: null,
  })),
})
