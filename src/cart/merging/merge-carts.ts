import type { Tx } from '../../base/database.ts'
import { publish, publishAll } from '../../base/outbox.ts'
import { lockOrCreateCart, viewCart } from '../carts/load-cart.ts'
import { isSameOffer, type PricedCart, pricedLine, reservedUntil, withLines } from '../carts/cart.ts'
import { guestSignedIn, itemMoved, mergedBuyer, type Merging } from '../carts/events.ts'
import { type Merged, mergeLines, type Strategy } from './merge.ts'
import type { CartSettings } from '../carts/shopper.ts'
import { moveCoupon } from '../coupons/use-coupon.ts'
import { deleteCart, lockCart, saveLine } from '../carts/store.ts'

/**
 * Moves the lines of a guest's cart into the client's and deletes the guest's cart. The guest's cart is locked first: of
 * parallel merges one finds it, the others change nothing.
 */
export async function mergeCarts(
  tx: Tx,
  settings: CartSettings,
  { strategy, ...merging }: Merging & { strategy: Strategy },
): Promise<{ priced: PricedCart; report: Merged[] }> {
  const { guest, client } = merging
  const shopper = { buyer: client, settings }
  const found = await lockCart(tx, guest, settings.dayOf(tx.now))
  if (!found?.cart.lines.length) publish(tx, guestSignedIn(merging, tx.now))
  if (!found) return { priced: await viewCart(tx, shopper), report: [] }
  // Deleted before stock is checked, so that the guest's reservations become available to the client.
  deleteCart(tx, found.cart.id)
  const guestLines = found.cart.lines
  if (guestLines.length === 0) return { priced: await viewCart(tx, shopper), report: [] }

  const before = await lockOrCreateCart(tx, shopper, { about: guestLines })
  const { lines, report } = mergeLines(before, guestLines, { strategy, now: tx.now })
  const merged = lines.filter((it) => guestLines.some((line) => isSameOffer(line, it)))
  for (const it of merged) {
    it.reservedUntil = reservedUntil(pricedLine(before.offers, it), { buyer: client, lines, now: tx.now })
    saveLine(tx, before.cart.id, it)
  }
  publishAll(
    tx,
    report
      .filter((it) => it.added > 0)
      .map(({ key, added }) =>
        itemMoved({ ...key, quantity: added }, { from: found.cart.id, into: before.cart.id, now: tx.now }),
      ),
  )
  publish(tx, {
    type: 'CartsMerged',
    cartId: before.cart.id,
    guestCartId: found.cart.id,
    ...mergedBuyer(merging),
    keptUnits: report.reduce((sum, it) => sum + it.kept, 0),
    droppedUnits: report.reduce((sum, it) => sum + it.dropped, 0),
    occurredOn: tx.now.toISOString(),
  })
  return { priced: await moveCoupon(tx, found.cart.couponId, withLines(before, lines)), report }
}
