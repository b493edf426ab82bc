import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { guestSignedIn, mergedBuyer, type Merging } from '../facts.ts'
import * as store from '../store/wishlists.ts'
import { comingOver, union, type WishedOffer, type Wishlist } from './wishlist.ts'

/** The client's wishlist, if he has one now, and what became of the guest's. */
export interface MergedWishlist {
  list: Wishlist | undefined
  added: WishedOffer[]
  dropped: WishedOffer[]
}

/**
 * Puts what a guest has wished for on the client's wishlist and ends the guest's. The guest's is locked first, so of many
 * who want it one gets it; the others find none, and change nothing.
 */
export async function mergeWishlists(tx: Tx, merging: Merging): Promise<MergedWishlist> {
  const { guest, client } = merging
  const guests = await store.lockedWishlist(tx, guest)
  if (guests) store.deleteWishlist(tx, guests.id)
  if (!guests?.wishes.length) {
    await publish(tx, guestSignedIn(merging, tx.now))
    return { list: await store.findWishlist(tx, client), added: [], dropped: [] }
  }

  const list = await store.openWishlist(tx, client)
  const { added, dropped } = comingOver(list.wishes, guests.wishes)
  store.saveWishes(tx, list.id, added)
  await publish(tx, {
    type: 'WishlistsMerged',
    wishlistId: list.id,
    guestWishlistId: guests.id,
    ...mergedBuyer(merging),
    added: added.length,
    dropped: dropped.length,
    occurredOn: tx.now.toISOString(),
  })
  return { list: { ...list, wishes: union(list.wishes, added) }, added, dropped }
}
