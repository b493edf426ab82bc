import type { Tx } from '../base/database.ts'
import { releaseCoupon } from '../cart/index.ts'
import { refundEvents } from './payments/change-payment.ts'
import type { Order } from './order.ts'
import { keptTiyin } from './payments/payment.ts'
import { restock } from './returns/restock.ts'
import { type NewEvent, recordEvents, type Step } from './record-events.ts'
import { uncountOrder } from './placing/count-orders.ts'
import { releaseBudget } from './mandates/use-mandate.ts'
import { statesOf } from './states.ts'
import { allowedSteps, type Caller, canCancel, invalidTransition } from './steps.ts'

/** Cancels a locked order: restocks its units, voids or refunds its payments, and releases the limits and the budget it used. */
export async function cancelOrder(
  tx: Tx,
  order: Order,
  { reason, caller }: { reason: string; caller: Caller },
): Promise<Step> {
  if (!canCancel(order))
    throw invalidTransition(statesOf(order).status, 'cancel', allowedSteps(order, caller))
  const step = await recordEvents(tx, order, [
    ...order.progress.fulfilments
      .filter((it) => it.status === 'created')
      .map((it): NewEvent => ({ type: 'FulfilmentCancelled', fulfilmentId: it.id })),
    { type: 'Cancelled', reason },
    ...reversalEvents(order, tx.now),
  ])
  const units = order.lines.map((it) => ({ line: it.number, quantity: it.quantity }))
  await restock(tx, order, { units, cause: 'cancelled' })
  uncountOrder(tx, order)
  releaseBudget(tx, order)
  if (order.couponCode !== null) await releaseCoupon(tx, { checkoutId: order.checkoutId, orderId: order.id })
  return step
}

/** Voids authorised payments and refunds captured ones. Pending payments are reversed when they settle. */
export const reversalEvents = ({ progress }: Order, now: Date, reason = 'order cancelled'): NewEvent[] =>
  progress.payments.flatMap((it): NewEvent[] => {
    if (it.status === 'authorised' && it.requestedStep !== 'void')
      return [{ type: 'VoidRequested', paymentId: it.id }]
    const amountTiyin = keptTiyin(it)
    return amountTiyin > 0 ? refundEvents(it, { amountTiyin, reason, now }) : []
  })
