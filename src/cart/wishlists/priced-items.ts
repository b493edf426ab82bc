import type { Reader } from '../../base/database.ts'
import {
  isForSale,
  type Line,
  maxUnits,
  noCartFields,
  type PricedLine,
  type Unavailable,
  whyUnavailable,
  withPricedLines,
} from '../carts/cart.ts'
import { priceLines } from '../carts/load-cart.ts'
import type { Message } from '../carts/messages.ts'
import type { Shopper } from '../carts/shopper.ts'
import type { WishlistItem } from './wishlist.ts'

/** A wishlist item with the current state of its offer. */
export interface PricedWishlistItem extends Pick<PricedLine, 'offer' | 'deleted' | 'availableUnits'> {
  item: WishlistItem
  /** Why no unit can be bought now; undefined when one can. */
  unavailable: Unavailable | undefined
  /** The most units that the buyer could order if they ordered nothing else. */
  maxUnits: number
}

/** Adds current prices and stock to wishlist items. */
export async function priceWishlistItems(
  read: Reader,
  shopper: Shopper,
  items: readonly WishlistItem[],
): Promise<PricedWishlistItem[]> {
  const priced = await priceLines(read, shopper, { lines: items.map(oneUnit) })
  return priced.lines.map((it, at) => {
    const { offer, availableUnits } = it
    return {
      item: items[at]!,
      offer,
      deleted: it.deleted,
      availableUnits: isForSale(offer) ? availableUnits : 0,
      unavailable: whyUnavailable(it),
      maxUnits: maxUnits(withPricedLines(priced, [it]), it),
    }
  })
}

const oneUnit = ({ isModerated, offerId, priceAtAddTiyin, addedAt }: WishlistItem): Line => ({
  ...noCartFields,
  isModerated,
  offerId,
  quantity: 1,
  priceAtAddTiyin,
  addedAt,
  updatedAt: addedAt,
})

/** What changed about an offer since it was added to the wishlist. */
export function wishlistMessages({ item, offer, unavailable }: PricedWishlistItem): Message[] {
  if (!offer || unavailable === 'offer_unavailable')
    return [{ code: 'offer_unavailable', severity: 'warning' }]
  const found: Message[] = []
  if (unavailable) found.push({ code: unavailable, severity: 'warning' })
  else if (!item.wasAvailable) found.push({ code: 'back_in_stock', severity: 'info' })
  if (offer.priceTiyin < item.priceAtAddTiyin) found.push({ code: 'price_lowered', severity: 'info' })
  if (offer.priceTiyin > item.priceAtAddTiyin) found.push({ code: 'price_raised', severity: 'info' })
  return found
}
