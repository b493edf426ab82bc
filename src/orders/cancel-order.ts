import type { Tx } from '../base/db.ts'
import { refundOf } from './change-payment.ts'
import type { Order } from './order.ts'
import { keptTiyin } from './payment.ts'
import { putBack } from './put-back.ts'
import { type Happening, recordEvents, type Step } from './record-events.ts'
import { forgetOrder } from './remember-limits.ts'
import { statesOf } from './states.ts'
import { allowedSteps, canCancel } from './steps.ts'
import { notNow } from './transition.ts'

/** Calls off an order that is locked: its units are for sale again, its money goes back, its limits are free. */
export async function cancelOrder(tx: Tx, order: Order, reason: string): Promise<Step> {
  if (!canCancel(order)) throw notNow(statesOf(order).status, 'cancel', allowedSteps(order))
  const step = await recordEvents(tx, order, [
    ...order.story.fulfilments
      .filter((it) => it.status === 'created')
      .map((it): Happening => ({ type: 'FulfilmentCancelled', fulfilmentId: it.id })),
    { type: 'Cancelled', reason },
    ...moneyBack(order, tx.now),
  ])
  const units = order.lines.map((it) => ({ line: it.number, quantity: it.quantity }))
  await putBack(tx, order, { units, cause: 'cancelled' })
  forgetOrder(tx, order)
  return step
}

/** What is promised is let go, what was taken is given back. What is still pending is dealt with when it ends. */
export const moneyBack = ({ story }: Order, now: Date, reason = 'order cancelled'): Happening[] =>
  story.payments.flatMap((it): Happening[] => {
    if (it.status === 'authorised' && it.asked !== 'void')
      return [{ type: 'VoidRequested', paymentId: it.id }]
    const amountTiyin = keptTiyin(it)
    return amountTiyin > 0 ? refundOf(it, { amountTiyin, reason, now }) : []
  })
