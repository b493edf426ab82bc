// Stock: units on hand and their movements. A quantity is never negative.

import type { Event } from '../../events.ts'

/** The maximum quantity of an offer. */
export const maxUnits = 2_000_000_000

export type OfferKind = 'offer' | 'moderated'

export type StockCause = 'stocked' | 'adjusted' | 'ordered' | 'cancelled' | 'returned' | 'removed'

/** A change of units, positive or negative. */
export interface StockMove {
  kind: OfferKind
  offerId: number
  change: number
}

/** A locked offer and its units on hand. */
export interface LockedStock {
  kind: OfferKind
  offerId: number
  onHand: number
}

/** The cause of a group of moves, and what it refers to, such as an order. */
export interface StockReason {
  cause: StockCause
  reference: string | null
}

/** An offer with fewer units than requested. */
export interface Shortage {
  kind: OfferKind
  offerId: number
  requested: number
  available: number
}

/** The limit of low stock. */
export const lowStockUnits = 5

/** The events of a move; low stock is published once, when the limit is passed. */
export function stockEvents(
  kind: OfferKind,
  move: { offerId: number; before: number; after: number },
): Event[] {
  const { offerId, before, after } = move
  if (kind === 'moderated')
    return [{ type: 'ModeratedOfferStockChanged', moderatedOfferId: offerId, newQuantity: after }]
  const isLow = before > lowStockUnits && after <= lowStockUnits
  return [
    { type: 'OfferQuantityChanged', offerId, newQuantity: after },
    ...(isLow ? [{ type: 'OfferStockLow', offerId, quantity: after } as const] : []),
  ]
}
