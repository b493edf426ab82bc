// The events that other modules receive about an order.

import type { Event } from '../events.ts'
import { inSums, sumTiyin } from '../base/money.ts'
import type { Order } from './order.ts'
import type { OrderEvent } from './order-events.ts'
import { statesOf } from './states.ts'

/** Events to publish for new order events; internal ones have no published counterpart. */
export function eventsToPublish(before: Order, order: Order, events: readonly OrderEvent[]): Event[] {
  const orderId = order.id
  const clientId = order.buyer.kind === 'client' ? order.buyer.clientId : null
  const paymentOf = (id: string) => order.progress.payments.find((it) => it.id === id)!
  const published = events.flatMap((it): Event[] => {
    switch (it.type) {
      case 'Cancelled':
        return [{ type: 'OrderCancelled', orderId, reason: it.reason, clientId }]
      case 'PaymentCaptured':
        return [
          {
            type: 'PaymentReceived',
            orderId,
            paymentId: it.paymentId,
            amount: inSums(paymentOf(it.paymentId).amountTiyin),
          },
        ]
      case 'InstalmentsPaid':
        return [
          {
            type: 'InstalmentsPaid',
            orderId,
            paymentId: it.paymentId,
            numbers: it.numbers,
            amount: inSums(sumTiyin((it.parts ?? []).map((part) => part.amountTiyin))),
            clientId,
          },
        ]
      case 'InstalmentsOverdue':
        return [
          {
            type: 'InstalmentsOverdue',
            orderId,
            clientId,
            numbers: it.numbers,
            amount: inSums(it.amountTiyin),
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
        return [{ type: 'OrderReturned', orderId, returnId: it.returnId, clientId }]
      default:
        return []
    }
  })
  const [oldStates, newStates] = [statesOf(before), statesOf(order)]
  return JSON.stringify(oldStates) === JSON.stringify(newStates)
    ? published
    : [...published, { type: 'OrderStateChanged', orderId, ...newStates }]
}
