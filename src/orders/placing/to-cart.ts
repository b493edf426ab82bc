import type { Tx } from '../../base/database.ts'
import * as cart from '../../cart/index.ts'
import * as catalog from '../../catalog/index.ts'
import { itemForCart, type Order, type OrderLine } from '../order.ts'
import { recordEvents, type Step } from '../record-events.ts'
import { statesOf } from '../states.ts'
import { allowedSteps, type Caller, canReturnToCart, invalidTransition } from '../steps.ts'

/** Puts the lines of a cancelled order back into its buyer's cart, once. Returns the lines that are not for sale now. */
export async function returnToCart(
  tx: Tx,
  order: Order,
  { shopper, caller }: { shopper: Omit<cart.Shopper, 'buyer'>; caller: Caller },
): Promise<Step & { skipped: OrderLine[] }> {
  if (!canReturnToCart(order))
    throw invalidTransition(statesOf(order).status, 'to_cart', allowedSteps(order, caller))
  const { ordinary, moderated } = await catalog.loadOffers(tx, {
    ordinaryIds: order.lines.filter((it) => !it.isModerated).map((it) => it.offerId),
    moderatedIds: order.lines.filter((it) => it.isModerated).map((it) => it.offerId),
  })
  const offerOf = ({ isModerated, offerId }: OrderLine) => (isModerated ? moderated : ordinary).get(offerId)
  const items = order.lines.filter((it) => cart.isForSale(offerOf(it)))
  if (items.length > 0)
    await cart.addItems(tx, { ...shopper, buyer: order.buyer }, { items: items.map(itemForCart) })
  const step = await recordEvents(tx, order, [{ type: 'PutBackIntoCart' }])
  return { ...step, skipped: order.lines.filter((it) => !items.includes(it)) }
}
