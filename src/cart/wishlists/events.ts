// Builds the events of wishlists.

import { buyerIdOf } from '../../base/buyer.ts'
import type { Event } from '../../events.ts'
import type { LineKey } from '../carts/cart.ts'
import type { Wishlist } from './wishlist.ts'

const about = ({ id, buyer }: Wishlist, { isModerated, offerId }: LineKey, now: Date) => ({
  wishlistId: id,
  buyerId: buyerIdOf(buyer),
  offerId: isModerated ? null : offerId,
  moderatedOfferId: isModerated ? offerId : null,
  occurredOn: now.toISOString(),
})

export const offerAddedToWishlist = (list: Wishlist, key: LineKey, now: Date): Event => ({
  type: 'OfferAddedToWishlist',
  ...about(list, key, now),
})

export const offerRemovedFromWishlist = (list: Wishlist, key: LineKey, now: Date): Event => ({
  type: 'OfferRemovedFromWishlist',
  ...about(list, key, now),
})

export const wishlistRemoved = (wishlistId: string, now: Date): Event => ({
  type: 'WishlistRemoved',
  wishlistId,
  reason: 'abandoned',
  occurredOn: now.toISOString(),
})
