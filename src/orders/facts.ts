// What is told to others when something happens to an order.

import type { Event } from '../events.ts'
import { inSums } from '../base/money.ts'
import type { Order } from './order.ts'
import type { OrderEvent } from './order-events.ts'
import { statesOf } from './states.ts'

/** Facts for what has just happened to an order; what concerns nobody outside is not told. */
export function factsOf(before: Order, order: Order, events: readonly OrderEvent[]): Event[] {
  const orderId = order.id
  const paymentOf = (id: string) => order.story.payments.find((it) => it.id === id)!
  const facts = events.flatMap((it): Event[] => {
    switch (it.type) {
      case 'Cancelled':
        return [{ type: 'OrderCancelled', orderId, reason: it.reason }]
      case 'PaymentCaptured':
        return [
          {
            type: 'PaymentReceived',
            orderId,
            paymentId: it.paymentId,
            amount: inSums(paymentOf(it.paymentId).amountTiyin),
          },
        ]
      case 'PaymentFailed':
        return [{ type: 'PaymentFailed', orderId, paymentId: it.paymentId, code: it.code }]
      case 'PaymentRefunded': {
        const refund = paymentOf(it.paymentId).refunds.find(({ id }) => id === it.refundId)!
        return [
          { type: 'PaymentRefunded', orderId, paymentId: it.paymentId, amount: inSums(refund.amountTiyin) },
        ]
      }
      case 'FulfilmentShipped': {
        const { fulfilmentId, carrier, trackingNumber } = it
        return [{ type: 'OrderShipped', orderId, fulfilmentId, carrier, trackingNumber }]
      }
      case 'FulfilmentDelivered':
        return [{ type: 'OrderDelivered', orderId, fulfilmentId: it.fulfilmentId }]
      case 'ReturnReceived':
        return [{ type: 'OrderReturned', orderId, returnId: it.returnId }]
      default:
        return []
    }
  })
  const [was, is] = [statesOf(before), statesOf(order)]
  return JSON.stringify(was) === JSON.stringify(is)
    ? facts
    : [...facts, { type: 'OrderStateChanged', orderId, ...is }]
}
