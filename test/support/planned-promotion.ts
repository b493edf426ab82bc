// Promotions as prices are made by them, for tests that need no shop.

import type { Effect, PlannedPromotion } from '../../src/catalog/promotions/season.ts'

interface Wish {
  id?: number
  /** Instants in milliseconds; for ever unless said. */
  from?: number
  until?: number
  effect?: Effect
  members?: Partial<PlannedPromotion['members']>
  version?: number
}

export const plannedPromotion = ({
  id = 1,
  from = 0,
  until = Infinity,
  effect = { kind: 'discount', percent: 10 },
  members = { offerIds: [1] },
  version = 1,
}: Wish = {}): PlannedPromotion => ({
  sheet: { id, uuid: `uuid-${id}`, title: `Акция ${id}`, titleUz: `Aksiya ${id}`, slug: `promotion-${id}` },
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
