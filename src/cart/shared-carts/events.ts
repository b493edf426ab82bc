// Builds the events of shared carts.

import { type Buyer, buyerIdOf } from '../../base/buyer.ts'
import type { Event } from '../../events.ts'
import type { SharedCart, SharedLine } from './shared-cart.ts'

const by = (sharedCartId: string, buyer: Buyer, now: Date) => ({
  sharedCartId,
  buyerId: buyerIdOf(buyer),
  occurredOn: now.toISOString(),
})

const offerOf = ({ isModerated, offerId }: SharedLine) => ({
  offerId: isModerated ? null : offerId,
  moderatedOfferId: isModerated ? offerId : null,
})

export const sharedCartCreated = ({ id, expiresAt }: SharedCart, buyer: Buyer, now: Date): Event => ({
  type: 'SharedCartCreated',
  ...by(id, buyer, now),
  expiresAt: expiresAt.toISOString(),
})

export const sharedCartJoined = (id: string, buyer: Buyer, now: Date): Event => ({
  type: 'SharedCartJoined',
  ...by(id, buyer, now),
})

/** A quantity of zero means that the line was removed. */
export const sharedCartItemChanged = (
  id: string,
  buyer: Buyer,
  { line, quantity, now }: { line: SharedLine; quantity: number; now: Date },
): Event => ({ type: 'SharedCartItemChanged', ...by(id, buyer, now), ...offerOf(line), quantity })

export const sharedCartTaken = (
  id: string,
  buyer: Buyer,
  { cartId, units, now }: { cartId: string; units: number; now: Date },
): Event => ({ type: 'SharedCartTaken', ...by(id, buyer, now), cartId, units })

export const sharedCartClosed = (id: string, buyer: Buyer, now: Date): Event => ({
  type: 'SharedCartClosed',
  ...by(id, buyer, now),
})

export const sharedCartExpired = (sharedCartId: string, now: Date): Event => ({
  type: 'SharedCartExpired',
  sharedCartId,
  occurredOn: now.toISOString(),
})
