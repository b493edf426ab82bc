import type { Buyer } from '../../base/buyer.ts'
import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import type { OfferDetails } from '../../catalog/index.ts'
import { readOffers } from '../carts/load-cart.ts'
import { isSameOffer, keyOf, type LineKey } from '../carts/cart.ts'
import { isBuyable } from './match-wishlists.ts'
import { named, violated, offerNotFound } from '../carts/rules.ts'
import { openWishlist, saveWishlistItems, deleteWishlistItem, lockWishlist } from './store.ts'
import { offerAddedToWishlist, offerRemovedFromWishlist } from './events.ts'
import { maxWishlistItems, unionOf, type WishlistItem, type Wishlist, mergeItems } from './wishlist.ts'
import { guestSignedIn, mergedBuyer, type Merging } from '../carts/events.ts'
import * as store from './store.ts'

/**
 * Adds an offer to the buyer's wishlist. Offers that cannot be bought now are accepted. Hidden ones and moderated
 * ones in draft or rejected are refused: the view would show what the buyer may not see.
 */
export async function addToWishlist(tx: Tx, buyer: Buyer, key: LineKey): Promise<Wishlist> {
  const opened = openWishlist(tx, buyer)
  const [list, details] = await Promise.all([opened, readOffers(tx, [key])])
  const offer = details.get(keyOf(key))
  if (!offer) throw offerNotFound(key)
  if (list.items.some((it) => isSameOffer(it, key))) return list
  if (isWithheld(offer))
    throw violated([{ code: 'offer_unavailable', ...named(key), remedy: { action: 'remove' } }])
  if (list.items.length >= maxWishlistItems)
    throw violated([
      {
        code: 'wishlist_full',
        limit: maxWishlistItems,
        requested: list.items.length + 1,
        remedy: { action: 'remove' },
      },
    ])

  const item: WishlistItem = {
    isModerated: key.isModerated,
    offerId: key.offerId,
    priceAtAddTiyin: offer.priceTiyin,
    wasAvailable: isBuyable(offer),
    addedAt: tx.now,
  }
  saveWishlistItems(tx, list.id, [item])
  publish(tx, offerAddedToWishlist(list, key, tx.now))
  return { ...list, items: unionOf(list.items, [item]) }
}

const isWithheld = ({ isVisible, moderation }: OfferDetails): boolean =>
  !isVisible || moderation?.status === 'draft' || moderation?.status === 'rejected'

/** Removes an offer from the buyer's wishlist; refuses when it is not on it. */
export async function removeFromWishlist(tx: Tx, buyer: Buyer, key: LineKey): Promise<Wishlist> {
  const list = await lockWishlist(tx, buyer)
  if (!list?.items.some((it) => isSameOffer(it, key))) throw offerNotFound(key, { place: 'wishlist' })
  deleteWishlistItem(tx, list.id, key)
  publish(tx, offerRemovedFromWishlist(list, key, tx.now))
  return { ...list, updatedAt: tx.now, items: list.items.filter((it) => !isSameOffer(it, key)) }
}

/** The client's wishlist, if there is one, and which items of the guest were added or dropped. */
export interface MergedWishlist {
  list: Wishlist | undefined
  added: WishlistItem[]
  dropped: WishlistItem[]
}

/**
 * Moves the items of a guest's wishlist to the client's and deletes the guest's. The guest's wishlist is locked first: of
 * parallel merges one finds it, the others change nothing.
 */
export async function mergeWishlists(tx: Tx, merging: Merging): Promise<MergedWishlist> {
  const { guest, client } = merging
  const guests = await store.lockWishlist(tx, guest)
  if (guests) store.deleteWishlist(tx, guests.id)
  if (!guests?.items.length) {
    publish(tx, guestSignedIn(merging, tx.now))
    return { list: await store.findWishlist(tx, client), added: [], dropped: [] }
  }

  const list = await store.openWishlist(tx, client)
  const { added, dropped } = mergeItems(list.items, guests.items)
  store.saveWishlistItems(tx, list.id, added)
  publish(tx, {
    type: 'WishlistsMerged',
    wishlistId: list.id,
    guestWishlistId: guests.id,
    ...mergedBuyer(merging),
    added: added.length,
    dropped: dropped.length,
    occurredOn: tx.now.toISOString(),
  })
  return { list: { ...list, items: unionOf(list.items, added) }, added, dropped }
}
