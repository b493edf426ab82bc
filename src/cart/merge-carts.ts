import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { type Basket, entryFrom, openBasket, shownBasket, withLines } from './basket.ts'
import { isSameOffer } from './cart.ts'
import { guestSignedIn, mergedBuyer, type Merging } from './facts.ts'
import { type Merged, mergedLines, type Strategy } from './merge.ts'
import { reservedUntil } from './reservation.ts'
import type { Terms } from './shopper.ts'
import { deleteCart, findCart, lockCart } from './store/carts.ts'
import { saveLine } from './store/items.ts'

/**
 * Puts what a guest has gathered into the client's cart and closes the guest's. The guest's cart is locked first, so of
 * many who want it one gets it; the others find none, and change nothing.
 */
export async function mergeCarts(
  tx: Tx,
  terms: Terms,
  { strategy, ...merging }: Merging & { strategy: Strategy },
): Promise<{ basket: Basket; report: Merged[] }> {
  const { guest, client } = merging
  const shopper = { buyer: client, terms }
  lockCart(tx, guest)
  const found = await findCart(tx, guest, terms.dayOf(tx.now))
  if (!found?.cart.lines.length) await publish(tx, guestSignedIn(merging, tx.now))
  if (!found) return { basket: await shownBasket(tx, shopper), report: [] }
  // Gone before the client's stock is looked at: what the guest had reserved is the client's now.
  deleteCart(tx, found.cart.id)
  const guestLines = found.cart.lines
  if (guestLines.length === 0) return { basket: await shownBasket(tx, shopper), report: [] }

  const before = await openBasket(tx, shopper, { about: guestLines })
  const entryFor = (line: Parameters<typeof entryFrom>[1]) => entryFrom(before.shelf, line)
  const { lines, report } = mergedLines(before.purchase, guestLines, { strategy, entryFor, now: tx.now })
  const came = lines.filter((it) => guestLines.some((line) => isSameOffer(line, it)))
  for (const it of came) {
    it.reservedUntil = reservedUntil(entryFor(it), { buyer: client, lines, now: tx.now })
    saveLine(tx, before.cart.id, it)
  }
  await publish(tx, {
    type: 'CartsMerged',
    cartId: before.cart.id,
    guestCartId: found.cart.id,
    ...mergedBuyer(merging),
    keptUnits: report.reduce((sum, it) => sum + it.kept, 0),
    droppedUnits: report.reduce((sum, it) => sum + it.dropped, 0),
    occurredOn: tx.now.toISOString(),
  })
  return { basket: withLines(before, lines), report }
}
