// Builds the events of carts.

import { type Buyer, guestPublicId } from '../../base/buyer.ts'
import type { Event, EventOf } from '../../events.ts'
import type { Cart, Line, AddItem } from './cart.ts'

const placed = (cartId: string, now: Date) => ({ cartId, occurredOn: now.toISOString() })

export const cartCreated = ({ id, buyer }: Cart, now: Date): Event => ({
  type: 'CartCreated',
  cartId: id,
  // The session id of a guest (SPEC-2 2.1); `cloudEvent` decides which subscribers see it.
  buyerId: buyer.kind === 'client' ? buyer.clientId : buyer.sessionId,
  occurredOn: now.toISOString(),
})

export const itemAdded = (cartId: string, { isModerated, offerId, quantity }: AddItem, now: Date): Event =>
  isModerated
    ? { type: 'ModeratedItemAddedToCart', ...placed(cartId, now), moderatedOfferId: offerId, quantity }
    : { type: 'ItemAddedToCart', ...placed(cartId, now), offerId, quantity }

/** Units that a merge has moved from a guest's cart. They were counted when the guest added them. */
export const itemMoved = (
  item: AddItem,
  { from, into, now }: { from: string; into: string; now: Date },
): Event => ({ ...(itemAdded(into, item, now) as ItemAdded), guestCartId: from })

type ItemAdded = EventOf<'ItemAddedToCart' | 'ModeratedItemAddedToCart'>

const offerOf = ({ isModerated, offerId }: Line) => ({
  offerId: isModerated ? null : offerId,
  moderatedOfferId: isModerated ? offerId : null,
})

/** `held` is the line before the change. */
export const itemChanged = (
  cartId: string,
  { line, held }: { line: Line; held: Line },
  now: Date,
): Event => ({
  type: 'CartItemChanged',
  ...placed(cartId, now),
  ...offerOf(line),
  quantity: line.quantity,
  previousQuantity: held.quantity,
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

/** Both identities of the buyer whose carts are merged. */
export interface Merging {
  guest: Extract<Buyer, { kind: 'guest' }>
  client: Extract<Buyer, { kind: 'client' }>
}

export const mergedBuyer = ({ guest, client }: Merging) => ({
  buyerId: client.clientId,
  guestId: guestPublicId(guest.sessionId),
})

export const guestSignedIn = (merging: Merging, now: Date): Event => ({
  type: 'GuestSignedIn',
  ...mergedBuyer(merging),
  occurredOn: now.toISOString(),
})
