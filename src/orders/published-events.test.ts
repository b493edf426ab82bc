// Given an order, when an event is recorded, then other modules receive this event.

import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import {
  allUnits,
  cancelled,
  captured,
  dated,
  delivered,
  failed,
  orderAfter,
  packed,
  paid,
  paidAndDelivered,
  refunded,
  refundRequested,
  returnReceived,
  returnRequested,
  shipped,
  started,
} from '../../test/support/order-values.ts'
import { applyEvents } from './order.ts'
import { eventsToPublish } from './published-events.ts'
import type { NewEvent } from './record-events.ts'

function published(given: NewEvent[], when: NewEvent[]) {
  const before = orderAfter(given)
  const events = dated(before, when)
  return eventsToPublish(before, applyEvents(before, events), events)
}

// oxfmt-ignore
const rows: [name: string, given: NewEvent[], when: NewEvent, then: object][] = [
  ['a cancellation has its reason', [], cancelled, { type: 'OrderCancelled', orderId: 7, reason: 'test', clientId: 1 }],
  ['a capture has its amount in sums', [started('p1', 250)], captured('p1'), { type: 'PaymentReceived', orderId: 7, paymentId: 'p1', amount: 2.5 }],
  ['a failed payment has its code', [started('p1', 250)], failed('p1'), { type: 'PaymentFailed', orderId: 7, paymentId: 'p1', code: 'declined' }],
  ['a refund has its own amount', [...paid, refundRequested('p1', 'r1', 50)], refunded('p1', 'r1'), { type: 'PaymentRefunded', orderId: 7, paymentId: 'p1', amount: 0.5 }],
  ['a shipment has carrier and tracking number', [...paid, packed('f1', allUnits)], shipped('f1'), { type: 'OrderShipped', orderId: 7, fulfilmentId: 'f1', carrier: 'BTS', trackingNumber: '42' }],
  ['a delivery has its parcel', [...paid, packed('f1', allUnits), shipped('f1')], delivered('f1'), { type: 'OrderDelivered', orderId: 7, fulfilmentId: 'f1' }],
  ['a received return has its id', [...paidAndDelivered, returnRequested('b1', { 1: 1 }, 100)], returnReceived('b1'), { type: 'OrderReturned', orderId: 7, returnId: 'b1', clientId: 1 }],
]

for (const [name, given, when, then] of rows) test(name, () => deepEqual(published(given, [when])[0], then))

test('a change of state is published once, after the other events, with all three states', () => {
  const events = published([started('p1', 250)], [captured('p1'), packed('f1', allUnits), shipped('f1')])
  deepEqual(
    events.map((it) => it.type),
    ['PaymentReceived', 'OrderShipped', 'OrderStateChanged'],
  )
  deepEqual(events.at(-1), {
    type: 'OrderStateChanged',
    orderId: 7,
    status: 'confirmed',
    paymentStatus: 'paid',
    fulfilmentStatus: 'shipped',
  })
})

test('internal events publish nothing', () => {
  deepEqual(published(paid, [refundRequested('p1', 'r1', 50)]), [])
  deepEqual(published(paidAndDelivered, [returnRequested('b1', { 1: 1 }, 100)]), [])
})
