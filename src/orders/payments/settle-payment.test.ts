// Given a payment in a status, when its acquirer reports an outcome, then these events follow.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  authorised,
  cancelled,
  captured,
  failed,
  methodIds,
  orderAfter,
  orderLine,
  paid,
  paidAndDelivered,
  returnReceived,
  returnRequested,
  started,
  voided,
  voidRequested,
} from '../../../test/support/order-values.ts'
import type { NewEvent } from '../record-events.ts'
import type { Outcome } from './acquirer.ts'
import { outcomeEvents } from './settle-payment.ts'

const now = new Date('2026-11-16T12:00:00Z')
const settled = (given: NewEvent[], outcome: Outcome, paymentId = 'p1') =>
  outcomeEvents(orderAfter(given), { paymentId, outcome }, now)
const typesOf = (events: NewEvent[]) => events.map((it) => it.type)

const pending = [started('p1', 250)]
const given = {
  pending,
  authorised: [...pending, authorised('p1')],
  captured: paid,
  voided: [...pending, authorised('p1'), voidRequested('p1'), voided('p1')],
  failed: [...pending, failed('p1')],
}
const outcomes: Record<string, Outcome> = {
  pending: { status: 'pending' },
  authorised: { status: 'authorised' },
  captured: { status: 'captured' },
  voided: { status: 'voided' },
  failed: { status: 'failed', code: 'declined' },
}

/** The event for each outcome, by the status of the payment; outcomes without one change nothing. */
// oxfmt-ignore
const transitions: Record<keyof typeof given, Record<string, string>> = {
  pending: { authorised: 'PaymentAuthorised', captured: 'PaymentCaptured', voided: 'PaymentVoided', failed: 'PaymentFailed' },
  failed: { authorised: 'PaymentAuthorised', captured: 'PaymentCaptured', voided: 'PaymentVoided' },
  authorised: { captured: 'PaymentCaptured', voided: 'PaymentVoided' },
  captured: {},
  voided: {},
}

for (const [status, byOutcome] of Object.entries(transitions))
  for (const [name, outcome] of Object.entries(outcomes))
    test(`given a ${status} payment, when "${name}" is reported, then ${byOutcome[name] ?? 'nothing'} follows`, () =>
      deepEqual(
        typesOf(settled(given[status as keyof typeof given], outcome)),
        byOutcome[name] === undefined ? [] : [byOutcome[name]],
      ))

test('an action URL is recorded when it is new', () => {
  const outcome: Outcome = { status: 'pending', actionUrl: 'https://bank.example/1' }
  const [event] = settled(pending, outcome)
  deepEqual(event, { type: 'PaymentActionRequired', paymentId: 'p1', actionUrl: 'https://bank.example/1' })
  deepEqual(settled([...pending, event!], outcome), [])
  deepEqual(settled(given.authorised, outcome), [])
})

test('a failure keeps its code', () => {
  deepEqual(settled(pending, { status: 'failed', code: 'insufficient_funds' }), [
    { type: 'PaymentFailed', paymentId: 'p1', code: 'insufficient_funds' },
  ])
})

const amountOf = (event: NewEvent | undefined) =>
  event?.type === 'RefundRequested' ? [event.paymentId, event.amountTiyin, event.reason] : event

test('a capture after the cancellation is refunded, an authorisation is voided', () => {
  const late = settled([...pending, cancelled], { status: 'captured' })
  deepEqual(typesOf(late), ['PaymentCaptured', 'RefundRequested'])
  deepEqual(amountOf(late[1]), ['p1', 250, 'order cancelled'])
  deepEqual(typesOf(settled([...pending, cancelled], { status: 'authorised' })), [
    'PaymentAuthorised',
    'VoidRequested',
  ])
})

test('a second payment of the whole amount is reversed, the first is kept', () => {
  const both = [started('p1', 250), started('p2', 250), captured('p1')]
  const second = settled(both, { status: 'captured' }, 'p2')
  deepEqual(typesOf(second), ['PaymentCaptured', 'RefundRequested'])
  deepEqual(amountOf(second[1]), ['p2', 250, 'paid twice'])
})

test('a capture refunds the units that were returned before it', () => {
  const parcel = paidAndDelivered.slice(paid.length)
  const returned = [returnRequested('b1', { 1: 1 }, 100), returnReceived('b1')]
  const events = settled([...given.authorised, ...parcel, ...returned], { status: 'captured' })
  deepEqual(typesOf(events), ['PaymentCaptured', 'RefundRequested'])
  deepEqual(amountOf(events[1]), ['p1', 100, 'returned'])
})

test('a card pays the chosen instalments, and money for those that are no longer open is refunded', () => {
  const loan = { conditionId: 1, duration: 3, commission: 0 }
  const ordered = {
    methodId: methodIds.instalments,
    lines: [orderLine({ quantity: 3, priceTiyin: 100, loan })],
  }
  const outcome: Outcome = { status: 'captured' }
  const begun = started('p2', 200, { instalments: [1, 2] })
  const open = outcomeEvents(orderAfter([begun], ordered), { paymentId: 'p2', outcome }, now)
  deepEqual(typesOf(open), ['PaymentCaptured', 'InstalmentsPaid'])
  deepEqual(open[1]?.type === 'InstalmentsPaid' && open[1].numbers, [1, 2])
  const first: NewEvent[] = [
    started('p1', 100, { kind: 'instalment', acquirer: null, card: null }),
    captured('p1'),
    { type: 'InstalmentsPaid', paymentId: 'p1', numbers: [1] },
  ]
  const late = outcomeEvents(orderAfter([begun, ...first], ordered), { paymentId: 'p2', outcome }, now)
  deepEqual(typesOf(late), ['PaymentCaptured', 'InstalmentsPaid', 'RefundRequested'])
  deepEqual(late[1]?.type === 'InstalmentsPaid' && late[1].numbers, [2])
  equal(late[2]?.type === 'RefundRequested' && late[2].amountTiyin, 100)
})
