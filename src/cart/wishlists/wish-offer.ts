import type { Buyer } from '../../base/buyer.ts'
import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import type { OfferSheet } from '../../catalog/index.ts'
import { freshSheets } from '../basket.ts'
import { isSameOffer, keyOf, type LineKey } from '../cart.ts'
import { isForSale } from '../purchase.ts'
import { named, violated } from '../rules.ts'
import { openWishlist, saveWishes } from '../store/wishlists.ts'
import { offerWished } from './facts.ts'
import { maxWishes, union, type WishedOffer, type Wishlist } from './wishlist.ts'

/**
 * Puts an offer on the buyer's wishlist. One that cannot be bought now may be wished for all the same; one that
 * moderation has not let out, or has turned down, may not.
 */
export async function wishOffer(tx: Tx, buyer: Buyer, key: LineKey): Promise<Wishlist> {
  const opened = openWishlist(tx, buyer)
  const [list, sheets] = await Promise.all([opened, freshSheets(tx, [key])])
  const offer = sheets.get(keyOf(key))
  if (!offer) throw refuse('not_found')
  if (list.wishes.some((it) => isSameOffer(it, key))) return list
  if (isWithheld(offer))
    throw violated([{ code: 'offer_unavailable', ...named(key), remedy: { action: 'remove' } }])
  if (list.wishes.length >= maxWishes)
    throw violated([
      {
        code: 'wishlist_full',
        limit: maxWishes,
        requested: list.wishes.length + 1,
        remedy: { action: 'remove' },
      },
    ])

  const wish: WishedOffer = {
    isModerated: key.isModerated,
    offerId: key.offerId,
    priceAtAddTiyin: offer.priceTiyin,
    wasAvailable: isForSale(offer) && offer.quantity > 0,
    addedAt: tx.now,
  }
  saveWishes(tx, list.id, [wish])
  await publish(tx, offerWished(list, key, tx.now))
  return { ...list, wishes: union(list.wishes, [wish]) }
}

const isWithheld = ({ moderation }: OfferSheet): boolean =>
  moderation?.status === 'draft' || moderation?.status === 'rejected'
