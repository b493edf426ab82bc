// What the cart tells others.

import { type Buyer, buyerIdOf, guestName } from '../base/buyer.ts'
import type { Event } from '../events.ts'
import type { Cart, Line, Wish } from './cart.ts'

const placed = (cartId: string, now: Date) => ({ cartId, occurredOn: now.toISOString() })

export const cartCreated = ({ id, buyer }: Cart, now: Date): Event => ({
  type: 'CartCreated',
  cartId: id,
  buyerId: buyerIdOf(buyer),
  occurredOn: now.toISOString(),
})

export const itemAdded = (cartId: string, { isModerated, offerId, quantity }: Wish, now: Date): Event =>
  isModerated
    ? { type: 'ModeratedItemAddedToCart', ...placed(cartId, now), moderatedOfferId: offerId, quantity }
    : { type: 'ItemAddedToCart', ...placed(cartId, now), offerId, quantity }

const offerOf = ({ isModerated, offerId }: Line) => ({
  offerId: isModerated ? null : offerId,
  moderatedOfferId: isModerated ? offerId : null,
})

export const itemChanged = (cartId: string, line: Line, now: Date): Event => ({
  type: 'CartItemChanged',
  ...placed(cartId, now),
  ...offerOf(line),
  quantity: line.quantity,
  loanConditionId: line.loanConditionId,
})

export const itemRemoved = (cartId: string, line: Line, now: Date): Event => ({
  type: 'ItemRemovedFromCart',
  ...placed(cartId, now),
  ...offerOf(line),
  quantity: line.quantity,
})

export const cartCleared = (cartId: string, now: Date): Event => ({
  type: 'CartCleared',
  ...placed(cartId, now),
})

export const cartRemoved = (
  cartId: string,
  reason: 'abandoned' | 'expired' | 'ordered',
  now: Date,
): Event => ({
  type: 'CartRemoved',
  ...placed(cartId, now),
  reason,
})

/** Who merges: both names of one buyer. */
export interface Merging {
  guest: Extract<Buyer, { kind: 'guest' }>
  client: Extract<Buyer, { kind: 'client' }>
}

export const mergedBuyer = ({ guest, client }: Merging) => ({
  buyerId: client.clientId,
  guestId: guestName(guest.sessionId),
})

export const guestSignedIn = (merging: Merging, now: Date): Event => ({
  type: 'GuestSignedIn',
  ...mergedBuyer(merging),
  occurredOn: now.toISOString(),
})
