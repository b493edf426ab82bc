// How much buyers may buy (SPEC-2 4.6). The figures are data that an operator changes.

import type { Buyer } from '../../base/buyer.ts'

export interface Limits {
  /** Of a client per business day: orders of the day plus the cart. */
  dailyAmountTiyin: number
  productUnitsPerOrder: number
  productUnitsPer30Days: number
  /** What a client may owe. */
  creditTiyin: number
  guestUnitsPerProduct: number
  guestAmountTiyin: number
  /** Above it, a guest must sign in to order. */
  guestAuthorizationTiyin: number
}

export interface StoredLimits extends Limits {
  version: number
  updatedAt: Date
}

/** What a client has bought already; always nothing for guests. */
export interface Spent {
  todayTiyin: number
  creditTiyin: number
  /** By product, in the last thirty business days. */
  units: ReadonlyMap<number, number>
}

export const spentNothing: Spent = { todayTiyin: 0, creditTiyin: 0, units: new Map() }

/** Units of one product that one order may hold. Guests never get more than clients, whatever an operator sets. */
export const unitsPerOrder = (buyer: Buyer, limits: Limits): number =>
  buyer.kind === 'client'
    ? limits.productUnitsPerOrder
    : Math.min(limits.guestUnitsPerProduct, limits.productUnitsPerOrder)

/** What a client who owes this much may still buy on credit. */
export const remainingTiyin = ({ creditTiyin }: Pick<Limits, 'creditTiyin'>, owedTiyin: number): number =>
  Math.max(0, creditTiyin - owedTiyin)

/** The maximum amount of the buyer's cart: the limit minus what was spent today. */
export const amountAllowed = (buyer: Buyer, limits: Limits, spent: Spent): number =>
  buyer.kind === 'client'
    ? Math.max(0, limits.dailyAmountTiyin - spent.todayTiyin)
    : Math.min(limits.guestAmountTiyin, limits.dailyAmountTiyin)
