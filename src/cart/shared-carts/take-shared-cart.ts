import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { addItems, splitItems } from '../carts/add-items.ts'
import { lockOrCreateCart } from '../carts/load-cart.ts'
import { type AddItem, type Cart, isSameOffer, keyOf, type PricedCart } from '../carts/cart.ts'
import type { LeftLine } from '../carts/order-rules.ts'
import type { Shopper } from '../carts/shopper.ts'
import { touchSharedCart } from './store.ts'
import { sharedCartTaken } from './events.ts'
import { withNewVersion, lockForMember, type Which } from './manage-shared-cart.ts'
import type { SharedLine } from './shared-cart.ts'

/**
 * Adds the items of all members to the cart of one member and closes the shared cart, so that nothing is bought twice.
 * Items that cannot be bought now are skipped and reported. All others must pass the rules of that cart: all are added or none. A shared
 * cart begins as a copy of a cart, so units that the member added and still has in the own cart are not added again.
 */
export async function takeSharedCart(
  tx: Tx,
  shopper: Shopper,
  which: Which,
): Promise<{ priced: PricedCart<Cart>; skipped: LeftLine[] }> {
  const { cart, member } = await lockForMember(tx, shopper.buyer, which)
  const own = await lockOrCreateCart(tx, shopper, { about: [] })
  const { items, left } = await splitItems(tx, shopper, itemsOf(cart.lines))
  const missing = withoutOwned(items, {
    owned: own.cart.lines,
    shared: cart.lines.filter((it) => it.place === member.place),
  })
  const priced = await addItems(tx, shopper, { items: missing })
  touchSharedCart(tx, withNewVersion({ ...cart, closedAt: tx.now, takenBy: member.place }, tx.now))
  const units = missing.reduce((sum, it) => sum + it.quantity, 0)
  publish(tx, sharedCartTaken(cart.id, shopper.buyer, { cartId: priced.cart.id, units, now: tx.now }))
  return { priced, skipped: left }
}

/** One item for each offer, with the units of all members. */
function itemsOf(lines: readonly SharedLine[]): AddItem[] {
  const byOffer = Map.groupBy(lines, keyOf)
  return [...byOffer.values()].map((them) => ({
    isModerated: them[0]!.isModerated,
    offerId: them[0]!.offerId,
    quantity: them.reduce((sum, it) => sum + it.quantity, 0),
  }))
}

type Quantified = Pick<AddItem, 'isModerated' | 'offerId' | 'quantity'>

/** Without the units that are in both: in the member's own cart and among what the member added to the shared one. */
function withoutOwned(
  items: readonly AddItem[],
  { owned, shared }: { owned: readonly Quantified[]; shared: readonly Quantified[] },
): AddItem[] {
  const unitsIn = (lines: readonly Quantified[], it: AddItem) =>
    lines.find((line) => isSameOffer(line, it))?.quantity ?? 0
  return items
    .map((it) => ({ ...it, quantity: it.quantity - Math.min(unitsIn(owned, it), unitsIn(shared, it)) }))
    .filter((it) => it.quantity > 0)
}
