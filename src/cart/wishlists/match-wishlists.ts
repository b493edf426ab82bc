// Wishlist items whose offers became cheaper or are back in stock, for campaigns.

import type { Reader } from '../../base/database.ts'
import type { OfferDetails } from '../../catalog/index.ts'
import { cachedOffers } from '../carts/load-cart.ts'
import { isForSale, isPending, keyOf, type LineKey } from '../carts/cart.ts'
import { type ClientWishlistItem, wishlistItemsOfClients } from '../carts/clients-store.ts'

export interface WishlistMatch extends ClientWishlistItem {
  offer: OfferDetails
}

/** A price lowered by at least `percent`, or an offer that was unavailable and can be bought again. */
export type WishlistCondition = { kind: 'cheaper'; percent: number } | { kind: 'back' }

/** A client may have hundreds of items, and all of them are loaded. */
const clientsPerBatch = 100

/** The wishlist items of these clients that can be bought now and meet the condition. */
export async function matchWishlists(
  read: Reader,
  clientIds: readonly number[],
  condition: WishlistCondition,
): Promise<WishlistMatch[]> {
  const found: WishlistMatch[] = []
  for (let begin = 0; begin < clientIds.length; begin += clientsPerBatch)
    found.push(...(await matchBatch(read, clientIds.slice(begin, begin + clientsPerBatch), condition)))
  return found
}

async function matchBatch(
  read: Reader,
  clientIds: readonly number[],
  condition: WishlistCondition,
): Promise<WishlistMatch[]> {
  const items = await wishlistItemsOfClients(
    read,
    clientIds,
    condition.kind === 'back' ? 'unavailable' : 'all',
  )
  const details = await cachedOffers(read, distinct(items))
  return items.flatMap((item) => {
    const offer = details.get(keyOf(item))
    return isBuyable(offer) && meetsCondition(item, offer, condition) ? [{ ...item, offer }] : []
  })
}

/** Whether one unit could be bought now; reservations are not considered. */
export const isBuyable = (offer: OfferDetails | undefined): offer is OfferDetails =>
  isForSale(offer) && !isPending(offer) && offer.quantity > 0

const meetsCondition = (
  item: ClientWishlistItem,
  offer: OfferDetails,
  condition: WishlistCondition,
): boolean =>
  condition.kind === 'back' || offer.priceTiyin * 100 <= item.priceAtAddTiyin * (100 - condition.percent)

const distinct = (keys: readonly LineKey[]): LineKey[] => [
  ...new Map(keys.map((it) => [keyOf(it), it])).values(),
]
