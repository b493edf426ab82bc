// Cart lines and offers as plain values, for tests of pure rules.

import type { Buyer } from '../../src/base/buyer.ts'
import type { ModerationStatus, OfferDetails } from '../../src/catalog/index.ts'
import {
  type KnownOffers,
  type Line,
  noCartFields,
  noOffers,
  priceCart,
  type PricedCart,
  type PricedLine,
  withPricedLines,
} from '../../src/cart/carts/cart.ts'
import { type Limits, type Spent, spentNothing } from '../../src/cart/limits/limits.ts'

export const client: Buyer = { kind: 'client', clientId: 1 }
export const guest: Buyer = { kind: 'guest', sessionId: 'session-1' }
export const now = new Date('2026-11-15T09:00:00Z')

/** The default limits. */
export const limits: Limits = {
  dailyAmountTiyin: 5_000_000_000,
  productUnitsPerOrder: 10,
  productUnitsPer30Days: 30,
  creditTiyin: 3_000_000_000,
  guestUnitsPerProduct: 3,
  guestAmountTiyin: 500_000_000,
  guestAuthorizationTiyin: 200_000_000,
}

interface OfferFields {
  price?: number
  quantity?: number
  productId?: number
  isVisible?: boolean
  isActive?: boolean
  creditActive?: boolean
  hasDailyPayment?: boolean
  reservationMinutes?: number | null
  status?: ModerationStatus
}

export const offerDetails = (it: OfferFields = {}): OfferDetails =>
  ({
    id: 1,
    productId: it.productId ?? 1,
    priceTiyin: Math.round((it.price ?? 1_000) * 100),
    quantity: it.quantity ?? 1_000,
    isVisible: it.isVisible ?? true,
    isActive: it.isActive ?? true,
    hasDailyPayment: it.hasDailyPayment ?? false,
    reservationMinutes: it.reservationMinutes ?? null,
    conditions: [{ id: 3, duration: 12, commission: 24, promotionId: null }],
    partner: { id: 1, creditActive: it.creditActive ?? true },
    moderation: it.status ? { uuid: '', status: it.status } : null,
  }) as OfferDetails

interface LineFields {
  offerId?: number
  isModerated?: boolean
  quantity?: number
  loan?: number | null
}

export const line = ({ offerId = 1, isModerated = false, quantity = 1, loan = null }: LineFields): Line => ({
  ...noCartFields,
  offerId,
  isModerated,
  quantity,
  loanConditionId: loan,
  priceAtAddTiyin: 100_000,
  addedAt: now,
  updatedAt: now,
})

export const priced = (it: LineFields, offer: OfferFields = {}): PricedLine => ({
  line: line(it),
  offer: offerDetails(offer),
  availableUnits: offer.quantity ?? 1_000,
})

/** Past spending of a client, in sums. */
export const bought = (it: { today?: number; credit?: number; units?: [number, number][] }): Spent => ({
  todayTiyin: Math.round((it.today ?? 0) * 100),
  creditTiyin: Math.round((it.credit ?? 0) * 100),
  units: new Map(it.units ?? []),
})

export const pricedCart = (
  lines: PricedLine[],
  more: {
    buyer?: Buyer
    limits?: Partial<Limits>
    spent?: Spent
    takesCards?: boolean
    offers?: KnownOffers
  } = {},
): PricedCart =>
  withPricedLines(
    priceCart(
      undefined,
      {
        buyer: more.buyer ?? client,
        limits: { ...limits, ...more.limits },
        spent: more.spent ?? spentNothing,
        takesCards: more.takesCards ?? true,
      },
      { offers: more.offers ?? noOffers },
    ),
    lines,
  )
