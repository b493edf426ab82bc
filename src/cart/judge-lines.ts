// Lines that lie outside their buyer's cart, beside all that they would be judged by in it.

import type { Reader } from '../base/db.ts'
import { entryFrom, limitsNow, shelfFor, type Sheets } from './basket.ts'
import type { Line } from './cart.ts'
import { type Purchase, purchaseOf } from './purchase.ts'
import type { Shopper } from './shopper.ts'
import { findCartId, findSpent } from './store/carts.ts'

/** The purchase that these lines would make for the buyer. Offers are at most a second old, unless given fresh. */
export async function judgedLines(
  read: Reader,
  { buyer, terms }: Shopper,
  { lines, fresh = new Map() }: { lines: readonly Line[]; fresh?: Sheets },
): Promise<Purchase> {
  const [limits, spent, cartId] = await Promise.all([
    limitsNow(read),
    findSpent(read, buyer, terms.dayOf(read.now)),
    findCartId(read, buyer),
  ])
  const shelf = await shelfFor(read, lines, { cartIds: cartId ? [cartId] : [], about: [], fresh })
  return purchaseOf(
    { buyer, limits, spent, takesCards: terms.takesCards[read.environment] },
    lines.map((it) => entryFrom(shelf, it)),
  )
}
