import type { Tx } from '../../base/database.ts'
import * as cart from '../../cart/index.ts'
import { itemForCart, type Order, type OrderLine } from '../order.ts'
import { recordEvents, type Step } from '../record-events.ts'
import { statesOf } from '../states.ts'
import { allowedSteps, type Caller, canReturnToCart, invalidTransition } from '../steps.ts'

/** Puts the lines of a cancelled order back into its buyer's cart, once. Returns the lines that cannot be bought now. */
export async function returnToCart(
  tx: Tx,
  order: Order,
  { shopper, caller }: { shopper: Omit<cart.Shopper, 'buyer'>; caller: Caller },
): Promise<Step & { skipped: OrderLine[] }> {
  if (!canReturnToCart(order))
    throw invalidTransition(statesOf(order).status, 'to_cart', allowedSteps(order, caller))
  const own = { ...shopper, buyer: order.buyer }
  const { items, left } = await cart.splitItems(tx, own, order.lines.map(itemForCart))
  await cart.addItems(tx, own, { items })
  const step = await recordEvents(tx, order, [{ type: 'PutBackIntoCart' }])
  const isLeft = (it: OrderLine) => left.some(({ line }) => cart.isSameOffer(line, it))
  return { ...step, skipped: order.lines.filter(isLeft) }
}
