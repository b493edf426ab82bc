import type { Reader } from '../../base/db.ts'
import type { Line } from '../cart.ts'
import { judgedLines } from '../judge-lines.ts'
import type { Message } from '../messages.ts'
import { type Entry, isForSale, isPending, mostUnits, purchaseOf } from '../purchase.ts'
import type { Shopper } from '../shopper.ts'
import type { WishedOffer } from './wishlist.ts'

/** A wish beside its offer as it is now. */
export interface ShownWish extends Pick<Entry, 'offer' | 'availableUnits'> {
  wish: WishedOffer
  /** Whether one unit could be bought now. */
  isAvailable: boolean
  /** The most units that the buyer could order of it, were it all that he orders. */
  mostUnits: number
}

/** What is wished for, with prices and stock as they are now. */
export async function shownWishes(
  read: Reader,
  shopper: Shopper,
  wishes: readonly WishedOffer[],
): Promise<ShownWish[]> {
  const purchase = await judgedLines(read, shopper, { lines: wishes.map(oneUnit) })
  return purchase.entries.map((entry, at) => {
    const { offer, availableUnits } = entry
    return {
      wish: wishes[at]!,
      offer,
      availableUnits: isForSale(offer) ? availableUnits : 0,
      isAvailable: isForSale(offer) && availableUnits > 0,
      mostUnits: mostUnits(purchaseOf(purchase, [entry]), entry),
    }
  })
}

const oneUnit = ({ isModerated, offerId, priceAtAddTiyin, addedAt }: WishedOffer): Line => ({
  isModerated,
  offerId,
  quantity: 1,
  loanConditionId: null,
  priceAtAddTiyin,
  addedAt,
  updatedAt: addedAt,
  reservedUntil: null,
})

/** What has happened to an offer since it was wished for. */
export function wishMessages({ wish, offer, isAvailable }: ShownWish): Message[] {
  if (!isForSale(offer)) return [{ code: 'offer_unavailable', severity: 'warning' }]
  const found: Message[] = []
  if (isPending(offer)) found.push({ code: 'moderation_pending', severity: 'warning' })
  if (!isAvailable) found.push({ code: 'out_of_stock', severity: 'warning' })
  else if (!wish.wasAvailable) found.push({ code: 'back_in_stock', severity: 'info' })
  if (offer.priceTiyin < wish.priceAtAddTiyin) found.push({ code: 'price_lowered', severity: 'info' })
  if (offer.priceTiyin > wish.priceAtAddTiyin) found.push({ code: 'price_raised', severity: 'info' })
  return found
}
