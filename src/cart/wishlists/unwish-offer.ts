import type { Buyer } from '../../base/buyer.ts'
import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { isSameOffer, type LineKey } from '../cart.ts'
import { deleteWish, lockedWishlist } from '../store/wishlists.ts'
import { offerUnwished } from './facts.ts'
import type { Wishlist } from './wishlist.ts'

/** Takes an offer off the buyer's wishlist; refuses when it is not on it. */
export async function unwishOffer(tx: Tx, buyer: Buyer, key: LineKey): Promise<Wishlist> {
  const list = await lockedWishlist(tx, buyer)
  if (!list?.wishes.some((it) => isSameOffer(it, key))) throw refuse('not_found')
  deleteWish(tx, list.id, key)
  await publish(tx, offerUnwished(list, key, tx.now))
  return { ...list, updatedAt: tx.now, wishes: list.wishes.filter((it) => !isSameOffer(it, key)) }
}
