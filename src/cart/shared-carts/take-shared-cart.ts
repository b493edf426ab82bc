import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { addItems } from '../carts/add-items.ts'
import { lockOrCreateCart, readOffers } from '../carts/load-cart.ts'
import { type AddItem, type Cart, isForSale, isSameOffer, keyOf, type PricedCart } from '../carts/cart.ts'
import { named, type Violation, violated } from '../carts/rules.ts'
import type { Shopper } from '../carts/shopper.ts'
import { touchSharedCart } from './store.ts'
import { sharedCartTaken } from './events.ts'
import { withNewVersion, lockForMember, type Which } from './manage-shared-cart.ts'
import type { SharedLine } from './shared-cart.ts'

/**
 * Adds the items of all members to the cart of one member and closes the shared cart, so that nothing is bought twice.
 * Items not for sale are skipped and reported. All others must pass the rules of that cart: all are added or none. A shared
 * cart begins as a copy of a cart, so units that the member added and still has in the own cart are not added again.
 */
export async function takeSharedCart(
  tx: Tx,
  shopper: Shopper,
  which: Which,
): Promise<{ priced: PricedCart<Cart>; skipped: AddItem[] }> {
  const { cart, member } = await lockForMember(tx, shopper.buyer, which)
  const own = await lockOrCreateCart(tx, shopper, { about: [] })
  const items = itemsOf(cart.lines)
  const fresh = await readOffers(tx, items)
  const [sold, skipped] = [true, false].map((wanted) =>
    items.filter((it) => isForSale(fresh.get(keyOf(it))) === wanted),
  ) as [AddItem[], AddItem[]]
  if (items.length === 0) throw violated([{ code: 'cart_empty', remedy: { action: 'add' } }])
  if (sold.length === 0)
    throw violated([
      { code: 'nothing_orderable', remedy: { action: 'remove' } },
      ...skipped.map((it): Violation => ({
        code: 'offer_unavailable',
        ...named(it),
        remedy: { action: 'remove' },
      })),
    ])

  const missing = withoutOwned(sold, {
    owned: own.cart.lines,
    shared: cart.lines.filter((it) => it.place === member.place),
  })
  const priced = await addItems(tx, shopper, { items: missing })
  touchSharedCart(tx, withNewVersion({ ...cart, closedAt: tx.now, takenBy: member.place }, tx.now))
  const units = missing.reduce((sum, it) => sum + it.quantity, 0)
  publish(tx, sharedCartTaken(cart.id, shopper.buyer, { cartId: priced.cart.id, units, now: tx.now }))
  return { priced, skipped }
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
