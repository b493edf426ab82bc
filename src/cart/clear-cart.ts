import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { type Basket, changedNow, lockedBasket } from './basket.ts'
import type { Cart } from './cart.ts'
import { cartCleared } from './facts.ts'
import type { Shopper } from './shopper.ts'
import { touchCart } from './store/carts.ts'
import { deleteAllLines } from './store/items.ts'

/** Takes everything out of the cart, moderated offers too. */
export async function clearCart(
  tx: Tx,
  shopper: Shopper,
  { ifMatch }: { ifMatch: number | undefined },
): Promise<Basket> {
  const before = await lockedBasket(tx, shopper, { about: [], ifMatch })
  if (!before.cart || before.cart.lines.length === 0) return before
  const after = changedNow(before as Basket<Cart>, shopper, { lines: [], now: tx.now })
  touchCart(tx, after.cart)
  deleteAllLines(tx, after.cart.id)
  await publish(tx, cartCleared(after.cart.id, tx.now))
  return after
}
