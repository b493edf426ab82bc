// What the cart tells others.

import type { Buyer } from '../base/buyer.ts'
import { sha256 } from '../base/random.ts'
import type { Event } from '../events.ts'
import type { Cart, Line, Wish } from './cart.ts'

/** Names a guest without giving his session away: whoever knows the session knows the name, and nobody else. */
export const buyerIdOf = (buyer: Buyer): number | string =>
  buyer.kind === 'client' ? buyer.clientId : `guest-${sha256(buyer.sessionId).toString('hex').slice(0, 32)}`

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
