// Units on hand and how they move. An offer never has fewer than none.

import type { Event } from '../events.ts'

/** Nobody has more of a thing than this. */
export const mostUnits = 2_000_000_000

export type OfferKind = 'offer' | 'moderated'

/** Why units came or went. */
export type StockCause = 'stocked' | 'adjusted' | 'ordered' | 'cancelled' | 'returned' | 'removed'

/** Units that come (above zero) or go (below). */
export interface StockMove {
  kind: OfferKind
  offerId: number
  change: number
}

/** An offer that a transaction holds, and how many units of it there are. */
export interface StockHeld {
  kind: OfferKind
  offerId: number
  onHand: number
}

/** Why a group of moves happens: the cause, and what it refers to, such as an order. */
export interface StockReason {
  cause: StockCause
  reference: string | null
}

/** An offer that has fewer units than were to be taken. */
export interface Shortage {
  kind: OfferKind
  offerId: number
  requested: number
  available: number
}

/** So few units that somebody should order more. */
export const lowStockUnits = 5

/** What is told when units moved; a falling stock is told once, when it passes the mark. */
export function stockFacts(
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
