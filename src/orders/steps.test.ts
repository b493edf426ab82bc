// Given an order after some events, then these steps are allowed to staff and to the buyer.

import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import {
  allUnits,
  authorised,
  cancelled,
  captured,
  delivered,
  failed,
  methodIds,
  orderAfter,
  packed,
  paid,
  paidAndDelivered,
  refunded,
  refundRequested,
  returnReceived,
  returnRejected,
  returnRequested,
  shipped,
  started,
  unpacked,
  voided,
  voidRequested,
} from '../../test/support/order-values.ts'
import { Refusal } from '../base/refusal.ts'
import type { NewEvent } from './record-events.ts'
import {
  allowedSteps,
  canCancel,
  canShip,
  invalidTransition,
  payableTiyin,
  returnableUnits,
  unsentUnits,
} from './steps.ts'

interface Row {
  given: NewEvent[]
  methodId?: number
  staff: string
  buyer: string
  /** In tiyin, of an order of 250. */
  payable: number
}

// oxfmt-ignore
const rows: Record<string, Row> = {
  'a new card order': { given: [], staff: 'pay cancel', buyer: 'pay cancel', payable: 250 },
  'a pending payment': { given: [started('p1', 250)], staff: 'cancel', buyer: 'cancel', payable: 0 },
  'a failed payment': { given: [started('p1', 250), failed('p1')], staff: 'pay cancel', buyer: 'pay cancel', payable: 250 },
  'a part paid by one card': { given: [started('p1', 100), captured('p1')], staff: 'pay cancel', buyer: 'pay cancel', payable: 150 },
  'an authorised payment': { given: [started('p1', 250), authorised('p1')], staff: 'cancel', buyer: 'cancel', payable: 0 },
  'a payment that is being voided': { given: [started('p1', 250), authorised('p1'), voidRequested('p1')], staff: 'pay cancel', buyer: 'pay cancel', payable: 250 },
  'a voided payment': { given: [started('p1', 250), authorised('p1'), voidRequested('p1'), voided('p1')], staff: 'pay cancel', buyer: 'pay cancel', payable: 250 },
  'a paid order': { given: paid, staff: 'cancel fulfil', buyer: 'cancel', payable: 0 },
  'a refunded order': { given: [...paid, refundRequested('p1', 'r1', 250), refunded('p1', 'r1')], staff: 'cancel', buyer: 'cancel', payable: 0 },
  'a paid order with all units packed': { given: [...paid, packed('f1', allUnits)], staff: 'cancel', buyer: 'cancel', payable: 0 },
  'a shipped part': { given: [...paid, packed('f1', { 1: 2 }), shipped('f1')], staff: 'fulfil', buyer: '', payable: 0 },
  'a delivered part': { given: [...paid, packed('f1', { 1: 2 }), shipped('f1'), delivered('f1')], staff: 'fulfil return', buyer: 'return', payable: 0 },
  'a delivered order': { given: paidAndDelivered, staff: 'return', buyer: 'return', payable: 0 },
  'a requested return of all units': { given: [...paidAndDelivered, returnRequested('b1', allUnits, 250)], staff: '', buyer: '', payable: 0 },
  'a rejected return of all units': { given: [...paidAndDelivered, returnRequested('b1', allUnits, 250), returnRejected('b1')], staff: 'return', buyer: 'return', payable: 0 },
  'a returned order': { given: [...paidAndDelivered, returnRequested('b1', allUnits, 250), returnReceived('b1')], staff: '', buyer: '', payable: 0 },
  'a cancelled order': { given: [cancelled], staff: 'to_cart', buyer: 'to_cart', payable: 0 },
  'a cancelled order whose lines are in the cart': { given: [cancelled, { type: 'PutBackIntoCart' }], staff: '', buyer: '', payable: 0 },
  'a new cash order': { given: [], methodId: methodIds.cash, staff: 'cancel fulfil', buyer: 'cancel', payable: 0 },
}

for (const [name, { given, methodId = methodIds.card, staff, buyer, payable }] of Object.entries(rows))
  test(`${name} allows "${staff}" to staff and "${buyer}" to the buyer`, () => {
    const order = orderAfter(given, { methodId })
    equal(allowedSteps(order, 'staff').join(' '), staff)
    equal(allowedSteps(order, 'buyer').join(' '), buyer)
    deepEqual(allowedSteps(order, 'reader'), [])
    equal(payableTiyin(order), payable)
    equal(canCancel(order), staff.includes('cancel'))
  })

test('a card order ships after the capture, not after the authorisation', () => {
  equal(canShip(orderAfter([started('p1', 250), authorised('p1')])), false)
  const half = [started('p1', 100), captured('p1'), started('p2', 150), authorised('p2')]
  equal(canShip(orderAfter(half)), false)
  equal(canShip(orderAfter(paid)), true)
  equal(canShip(orderAfter([...paid, refundRequested('p1', 'r1', 250)])), false)
})

test('units in a parcel are not packed again, unless the parcel is cancelled', () => {
  const one = [...paid, packed('f1', { 1: 1 })]
  deepEqual(unsentUnits(orderAfter(one)), [
    { line: 1, quantity: 1 },
    { line: 2, quantity: 1 },
  ])
  deepEqual(unsentUnits(orderAfter([...one, packed('f2', { 1: 1, 2: 1 })])), [])
  deepEqual(unsentUnits(orderAfter([...one, unpacked('f1')])), [
    { line: 1, quantity: 2 },
    { line: 2, quantity: 1 },
  ])
})

test('only delivered units that are in no open or received return can be returned', () => {
  const partly = [...paid, packed('f1', { 1: 2 }), packed('f2', { 2: 1 }), shipped('f1'), delivered('f1')]
  deepEqual(returnableUnits(orderAfter(partly)), [{ line: 1, quantity: 2 }])
  const returning = [...partly, returnRequested('b1', { 1: 1 }, 100)]
  deepEqual(returnableUnits(orderAfter(returning)), [{ line: 1, quantity: 1 }])
  deepEqual(returnableUnits(orderAfter([...returning, returnReceived('b1')])), [{ line: 1, quantity: 1 }])
  deepEqual(returnableUnits(orderAfter([...returning, returnRejected('b1')])), [{ line: 1, quantity: 2 }])
})

test('the refusal of a step names the state, the step and the allowed steps', () => {
  throws(
    () => {
      throw invalidTransition('cancelled', 'pay', ['to_cart'])
    },
    (error: Refusal) => {
      equal(error.code, 'invalid_transition')
      deepEqual(error.details, { state: 'cancelled', requested: 'pay', allowed: ['to_cart'] })
      return true
    },
  )
})
