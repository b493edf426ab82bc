import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { addItems } from '../add-items.ts'
import { type Basket, freshSheets } from '../basket.ts'
import { type Cart, keyOf, type Wish } from '../cart.ts'
import { isForSale } from '../purchase.ts'
import { violated } from '../rules.ts'
import type { Shopper } from '../shopper.ts'
import { touchSharedCart } from '../store/shared-carts.ts'
import { sharedCartTaken } from './facts.ts'
import { changed, holdSharedCart, type Which } from './hold-shared-cart.ts'
import type { SharedLine } from './shared-cart.ts'

/**
 * Puts what all have gathered into the cart of one of them and closes the shared cart, so that nothing is bought twice.
 * What cannot be bought now is left behind and named; all the rest goes through the rules of his cart, all or nothing.
 */
export async function takeSharedCart(
  tx: Tx,
  shopper: Shopper,
  which: Which,
): Promise<{ basket: Basket<Cart>; skipped: Wish[] }> {
  const { cart, member } = await holdSharedCart(tx, shopper.buyer, which)
  const wishes = together(cart.lines)
  const fresh = await freshSheets(tx, wishes)
  const [sold, skipped] = [true, false].map((wanted) =>
    wishes.filter((it) => isForSale(fresh.get(keyOf(it))) === wanted),
  ) as [Wish[], Wish[]]
  if (sold.length === 0) throw violated([{ code: 'cart_empty', remedy: { action: 'add' } }])

  const basket = await addItems(tx, shopper, { wishes: sold })
  touchSharedCart(tx, changed({ ...cart, closedAt: tx.now, takenBy: member.place }, tx.now))
  const units = sold.reduce((sum, it) => sum + it.quantity, 0)
  await publish(tx, sharedCartTaken(cart.id, shopper.buyer, { cartId: basket.cart.id, units, now: tx.now }))
  return { basket, skipped }
}

/** One wish an offer, whoever wants it. */
function together(lines: readonly SharedLine[]): Wish[] {
  const byOffer = Map.groupBy(lines, keyOf)
  return [...byOffer.values()].map((them) => ({
    isModerated: them[0]!.isModerated,
    offerId: them[0]!.offerId,
    quantity: them.reduce((sum, it) => sum + it.quantity, 0),
  }))
}
