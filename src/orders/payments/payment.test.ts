// Given a payment after some events, then it keeps this amount and allows these steps.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  authorised,
  cancelled,
  captured,
  captureRequested,
  failed,
  orderAfter,
  refunded,
  refundFailed,
  refundRequested,
  started,
  voided,
  voidRequested,
} from '../../../test/support/order-values.ts'
import { reversalEvents } from '../cancel-order.ts'
import type { NewEvent } from '../record-events.ts'
import { refundEvents } from './change-payment.ts'
import { capturedTiyin, keptTiyin, paymentStepsFrom, refundedTiyin, securedTiyin } from './payment.ts'

const begun = started('p1', 250)
const isCaptured = [begun, captured('p1')]
const isAuthorised = [begun, authorised('p1')]

interface Row {
  given: NewEvent[]
  status: string
  /** Captured or authorised and not being voided. */
  secured: number
  captured: number
  /** Captured and neither refunded nor being refunded. */
  kept: number
  steps: string
}

// oxfmt-ignore
const rows: Record<string, Row> = {
  'a started payment': { given: [begun], status: 'pending', secured: 0, captured: 0, kept: 0, steps: '' },
  'an authorised payment': { given: isAuthorised, status: 'authorised', secured: 250, captured: 0, kept: 0, steps: 'capture void' },
  'a payment whose capture is requested': { given: [...isAuthorised, captureRequested('p1')], status: 'authorised', secured: 250, captured: 0, kept: 0, steps: '' },
  'a payment whose void is requested': { given: [...isAuthorised, voidRequested('p1')], status: 'authorised', secured: 0, captured: 0, kept: 0, steps: '' },
  'a voided payment': { given: [...isAuthorised, voidRequested('p1'), voided('p1')], status: 'voided', secured: 0, captured: 0, kept: 0, steps: '' },
  'a failed payment': { given: [begun, failed('p1')], status: 'failed', secured: 0, captured: 0, kept: 0, steps: '' },
  'a captured payment': { given: isCaptured, status: 'captured', secured: 250, captured: 250, kept: 250, steps: 'refund' },
  'a payment that is being refunded in part': { given: [...isCaptured, refundRequested('p1', 'r1', 100)], status: 'captured', secured: 250, captured: 250, kept: 150, steps: 'refund' },
  'a payment whose refund failed': { given: [...isCaptured, refundRequested('p1', 'r1', 100), refundFailed('p1', 'r1')], status: 'captured', secured: 250, captured: 250, kept: 250, steps: 'refund' },
  'a refunded payment': { given: [...isCaptured, refundRequested('p1', 'r1', 250), refunded('p1', 'r1')], status: 'captured', secured: 250, captured: 250, kept: 0, steps: '' },
}

for (const [name, row] of Object.entries(rows))
  test(`${name} keeps ${row.kept} and allows "${row.steps}"`, () => {
    const { payments } = orderAfter(row.given).progress
    const payment = payments[0]!
    deepEqual(
      [payment.status, securedTiyin(payments), capturedTiyin(payments), keptTiyin(payment)],
      [row.status, row.secured, row.captured, row.kept],
    )
    equal(paymentStepsFrom(payment).join(' '), row.steps)
  })

test('refunds are summed by status', () => {
  const refunds = [
    refundRequested('p1', 'r1', 100),
    refunded('p1', 'r1'),
    refundRequested('p1', 'r2', 30),
    refundFailed('p1', 'r2'),
    refundRequested('p1', 'r3', 20),
  ]
  const payment = orderAfter([...isCaptured, ...refunds]).progress.payments[0]!
  equal(refundedTiyin(payment, ['refunded']), 100)
  equal(refundedTiyin(payment, ['pending', 'refunded']), 120)
  equal(refundedTiyin(payment, ['failed']), 30)
})

const now = new Date('2026-11-16T12:00:00Z')
const typesOf = (events: NewEvent[]) => events.map((it) => it.type)

test('a refund without an acquirer completes at once, one with an acquirer waits for its outcome', () => {
  const request = { amountTiyin: 50, reason: 'test', now }
  const card = orderAfter(isCaptured).progress.payments[0]!
  deepEqual(typesOf(refundEvents(card, request)), ['RefundRequested'])
  deepEqual(typesOf(refundEvents({ ...card, acquirer: null }, request)), [
    'RefundRequested',
    'PaymentRefunded',
  ])
})

// oxfmt-ignore
const reversals: Record<string, [given: NewEvent[], then: string[]]> = {
  'a pending payment is left until it settles': [[begun], []],
  'an authorised payment is voided': [isAuthorised, ['VoidRequested']],
  'a payment that is being captured is voided': [[...isAuthorised, captureRequested('p1')], ['VoidRequested']],
  'a payment that is being voided is left alone': [[...isAuthorised, voidRequested('p1')], []],
  'a captured payment is refunded': [isCaptured, ['RefundRequested']],
  'a refunded payment is left alone': [[...isCaptured, refundRequested('p1', 'r1', 250)], []],
  'every payment of an order is reversed': [[...isCaptured, started('p2', 100), authorised('p2')], ['RefundRequested', 'VoidRequested']],
}

for (const [name, [given, then]] of Object.entries(reversals))
  test(`when an order is cancelled, ${name}`, () =>
    deepEqual(typesOf(reversalEvents(orderAfter([...given, cancelled]), now)), then))

test('a reversal refunds only what is kept', () => {
  const given = [...isCaptured, refundRequested('p1', 'r1', 100), refunded('p1', 'r1')]
  const [refund] = reversalEvents(orderAfter(given), now)
  equal(refund?.type === 'RefundRequested' && refund.amountTiyin, 150)
})
