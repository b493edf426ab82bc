// Given an order after some events, when more events happen, then it has these states and publishes these events.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  allUnits,
  authorised,
  cancelled,
  captured,
  captureRequested,
  dated,
  delivered,
  failed,
  methodIds,
  orderAfter,
  orderLine,
  packed,
  paid,
  paidAndDelivered,
  refunded,
  refundFailed,
  refundRequested,
  returnReceived,
  returnRejected,
  returnRequested,
  shipped,
  started,
  statesText,
  unpacked,
  voided,
  voidRequested,
} from '../../test/support/order-values.ts'
import { applyEvents } from './order.ts'
import { eventsToPublish } from './published-events.ts'
import type { NewEvent } from './record-events.ts'

type Row = [given: NewEvent[], when: NewEvent[], states: string, published: string[]]

const changed = 'OrderStateChanged'

function testRows(kind: string, methodId: number, rows: Record<string, Row>): void {
  for (const [name, [given, when, states, published]] of Object.entries(rows))
    test(`${kind}: ${name}`, () => {
      const before = orderAfter(given, { methodId })
      const events = dated(before, when)
      const after = applyEvents(before, events)
      equal(statesText(after), states)
      deepEqual(
        eventsToPublish(before, after, events).map((it) => it.type),
        published,
      )
    })
}

const authorisedOnly = [started('p1', 250), authorised('p1')]

// oxfmt-ignore
testRows('card', methodIds.card, {
  'a new order awaits payment': [[], [], 'awaiting_payment unpaid unfulfilled', []],
  'a started payment is pending': [[], [started('p1', 250)], 'awaiting_payment pending unfulfilled', [changed]],
  'an authorisation confirms the order': [[started('p1', 250)], [authorised('p1')], 'confirmed authorised unfulfilled', [changed]],
  'a capture pays the order': [[started('p1', 250)], [captured('p1')], 'confirmed paid unfulfilled', ['PaymentReceived', changed]],
  'a capture of an authorised payment pays the order': [authorisedOnly, [captureRequested('p1'), captured('p1')], 'confirmed paid unfulfilled', ['PaymentReceived', changed]],
  'a capture request changes no state': [authorisedOnly, [captureRequested('p1')], 'confirmed authorised unfulfilled', []],
  'a failed payment leaves the order waiting': [[started('p1', 250)], [failed('p1')], 'awaiting_payment failed unfulfilled', ['PaymentFailed', changed]],
  'another card pays after a failure': [[started('p1', 250), failed('p1')], [started('p2', 250), captured('p2')], 'confirmed paid unfulfilled', ['PaymentReceived', changed]],
  'one of two cards is not enough': [[started('p1', 100)], [captured('p1')], 'awaiting_payment partially_paid unfulfilled', ['PaymentReceived', changed]],
  'two cards share the amount': [[started('p1', 100), captured('p1'), started('p2', 150)], [captured('p2')], 'confirmed paid unfulfilled', ['PaymentReceived', changed]],
  'a void request takes back the confirmation': [authorisedOnly, [voidRequested('p1')], 'awaiting_payment authorised unfulfilled', [changed]],
  'a voided payment leaves the order waiting': [[...authorisedOnly, voidRequested('p1')], [voided('p1')], 'awaiting_payment voided unfulfilled', [changed]],
  'a requested refund changes no state': [paid, [refundRequested('p1', 'r1', 50)], 'confirmed paid unfulfilled', []],
  'a part of the money is refunded': [[...paid, refundRequested('p1', 'r1', 50)], [refunded('p1', 'r1')], 'confirmed partially_refunded unfulfilled', ['PaymentRefunded', changed]],
  'all money is refunded': [[...paid, refundRequested('p1', 'r1', 250)], [refunded('p1', 'r1')], 'confirmed refunded unfulfilled', ['PaymentRefunded', changed]],
  'a failed refund changes no state': [[...paid, refundRequested('p1', 'r1', 50)], [refundFailed('p1', 'r1')], 'confirmed paid unfulfilled', []],
  'a packed parcel prepares the order': [paid, [packed('f1', { 1: 1 })], 'confirmed paid preparing', [changed]],
  'an unpacked parcel does not count': [[...paid, packed('f1', { 1: 1 })], [unpacked('f1')], 'confirmed paid unfulfilled', [changed]],
  'one of two parcels is shipped': [[...paid, packed('f1', { 1: 2 }), packed('f2', { 2: 1 })], [shipped('f1')], 'confirmed paid partially_shipped', ['OrderShipped', changed]],
  'all parcels are shipped': [[...paid, packed('f1', allUnits)], [shipped('f1')], 'confirmed paid shipped', ['OrderShipped', changed]],
  'one of two parcels is delivered': [[...paid, packed('f1', { 1: 2 }), packed('f2', { 2: 1 }), shipped('f1'), shipped('f2')], [delivered('f1')], 'confirmed paid partially_delivered', ['OrderDelivered', changed]],
  'a delivered and paid order is complete': [[...paid, packed('f1', allUnits), shipped('f1')], [delivered('f1')], 'completed paid delivered', ['OrderDelivered', changed]],
  'a requested return changes no state': [paidAndDelivered, [returnRequested('b1', { 1: 1 }, 100)], 'completed paid delivered', []],
  'a rejected return changes no state': [[...paidAndDelivered, returnRequested('b1', { 1: 1 }, 100)], [returnRejected('b1')], 'completed paid delivered', []],
  'a part is returned and refunded': [[...paidAndDelivered, returnRequested('b1', { 1: 1 }, 100)], [returnReceived('b1'), refundRequested('p1', 'r1', 100), refunded('p1', 'r1')], 'completed partially_refunded partially_returned', ['OrderReturned', 'PaymentRefunded', changed]],
  'everything is returned and refunded': [[...paidAndDelivered, returnRequested('b1', allUnits, 250)], [returnReceived('b1'), refundRequested('p1', 'r1', 250), refunded('p1', 'r1')], 'completed refunded returned', ['OrderReturned', 'PaymentRefunded', changed]],
  'an unpaid order is cancelled': [[], [cancelled], 'cancelled unpaid cancelled', ['OrderCancelled', changed]],
  'a paid order is cancelled and refunded': [paid, [cancelled, refundRequested('p1', 'r1', 250), refunded('p1', 'r1')], 'cancelled refunded cancelled', ['OrderCancelled', 'PaymentRefunded', changed]],
  'a late capture does not revive a cancelled order': [[started('p1', 250), cancelled], [captured('p1')], 'cancelled paid cancelled', ['PaymentReceived', changed]],
})

const cash = (id: string, amountTiyin: number) => [
  started(id, amountTiyin, { kind: 'cash', acquirer: null, card: null }),
  captured(id),
]
const delivery = [packed('f1', allUnits), shipped('f1'), delivered('f1')]

// oxfmt-ignore
testRows('cash', methodIds.cash, {
  'a new order is confirmed': [[], [], 'confirmed unpaid unfulfilled', []],
  'a delivered order is open until it is paid': [[packed('f1', allUnits), shipped('f1')], [delivered('f1')], 'delivered unpaid delivered', ['OrderDelivered', changed]],
  'a delivered order is complete when it is paid': [delivery, cash('p1', 250), 'completed paid delivered', ['PaymentReceived', changed]],
  'a part of the money does not complete it': [delivery, cash('p1', 249), 'delivered partially_paid delivered', ['PaymentReceived', changed]],
  'returned units need no payment': [[...delivery, returnRequested('b1', { 1: 2 }, 200), returnReceived('b1')], cash('p1', 50), 'completed paid partially_returned', ['PaymentReceived', changed]],
  'an unpaid order that is returned completely is complete': [[...delivery, returnRequested('b1', allUnits, 250)], [returnReceived('b1')], 'completed unpaid returned', ['OrderReturned', changed]],
})

test('instalments: the order is confirmed without a payment, and paid when every instalment is paid', () => {
  const loan = { conditionId: 1, duration: 3, commission: 0 }
  const ordered = {
    methodId: methodIds.instalments,
    lines: [orderLine({ quantity: 3, priceTiyin: 100, loan })],
  }
  const instalment = (number: number): NewEvent[] => [
    started(`p${number}`, 100, { kind: 'instalment', acquirer: null, card: null }),
    captured(`p${number}`),
    { type: 'InstalmentsPaid', paymentId: `p${number}`, numbers: [number] },
  ]
  const after = (...events: NewEvent[]) => statesText(orderAfter(events, ordered))
  equal(after(), 'confirmed unpaid unfulfilled')
  equal(after(...instalment(1)), 'confirmed partially_paid unfulfilled')
  const two = [...instalment(1), ...instalment(2)]
  equal(after(...two, ...instalment(3)), 'confirmed paid unfulfilled')
  const parcel = [packed('f1', { 1: 3 }), shipped('f1'), delivered('f1')]
  equal(after(...two, ...parcel), 'delivered partially_paid delivered')
  equal(after(...two, ...parcel, ...instalment(3)), 'completed paid delivered')
})
