import type { Tx } from '../../base/database.ts'
import * as cart from '../../cart/index.ts'
import { itemForCart, type Order, type OrderLine } from '../order.ts'
import { recordEvents, type Step } from '../record-events.ts'
import { statesOf } from '../states.ts'
import { allowedSteps, type Caller, canReturnToCart, invalidTransition } from '../steps.ts'

interface SkippedLine {
  line: OrderLine
  reason: cart.LeftLine['reason']
}

/** Puts the lines of a cancelled order back into its buyer's cart, once. Returns the lines that cannot be bought now. */
export async function returnToCart(
  tx: Tx,
  order: Order,
  { shopper, caller }: { shopper: Omit<cart.Shopper, 'buyer'>; caller: Caller },
): Promise<Step & { skipped: SkippedLine[] }> {
  if (!canReturnToCart(order))
    throw invalidTransition(statesOf(order).status, 'to_cart', allowedSteps(order, caller))
  const own = { ...shopper, buyer: order.buyer }
  const { items, left } = await cart.splitItems(tx, own, order.lines.map(itemForCart))
  await cart.addItems(tx, own, { items })
  const step = await recordEvents(tx, order, [{ type: 'PutBackIntoCart' }])
  const skipped = order.lines.flatMap((line) =>
    left.filter((it) => cart.isSameOffer(it.line, line)).map(({ reason }) => ({ line, reason })),
  )
  return { ...step, skipped }
}
