// Orders as plain values, for tests of pure rules: what was ordered, and the events since then.

import { noProgress, type OrderEvent } from '../../src/orders/order-events.ts'
import { applyEvents, type Order, type Ordered, type OrderLine } from '../../src/orders/order.ts'
import type { Payment } from '../../src/orders/payments/payment.ts'
import type { NewEvent } from '../../src/orders/record-events.ts'
import { statesOf } from '../../src/orders/states.ts'

export const placedAt = new Date('2026-11-16T09:00:00Z')
export const methodIds = { card: 1, instalments: 2, cash: 3 } as const

export const orderLine = (input: Partial<OrderLine> = {}): OrderLine => ({
  number: 1,
  isModerated: false,
  offerId: 1,
  productId: 1,
  name: { ru: 'Товар' },
  quantity: 1,
  priceTiyin: 100,
  discountTiyin: 0,
  loan: null,
  prepaymentTiyin: 0,
  image: null,
  ...input,
})

/** Line 1 has two units of 100 tiyin, line 2 one unit of 50. */
const twoLines = [
  orderLine({ number: 1, quantity: 2, priceTiyin: 100 }),
  orderLine({ number: 2, quantity: 1, priceTiyin: 50 }),
]

/** An order by card of 250 tiyin after these events, one minute apart. */
export function orderAfter(events: readonly NewEvent[], ordered: Partial<Ordered> = {}): Order {
  const lines = ordered.lines ?? twoLines
  const placed: Order = {
    id: 7,
    version: 1,
    updatedAt: placedAt,
    progress: noProgress,
    checkoutId: 'checkout-1',
    buyer: { kind: 'client', clientId: 1 },
    partnerId: 1,
    partnerName: null,
    contact: null,
    methodId: methodIds.card,
    mandateId: null,
    address: 'Toshkent',
    delivery: null,
    couponCode: null,
    amountTiyin: lines.reduce((sum, it) => sum + it.quantity * it.priceTiyin, 0),
    day: '2026-11-16',
    createdAt: placedAt,
    ...ordered,
    lines,
  }
  return applyEvents(placed, dated(placed, events))
}

/** Events with their times, after the last event of an order. */
export const dated = (order: Order, events: readonly NewEvent[]): OrderEvent[] =>
  events.map(
    (it, at) => ({ ...it, at: new Date(order.updatedAt.getTime() + (at + 1) * 60_000) }) as OrderEvent,
  )

/** The three states as one text. */
export const statesText = (order: Order): string => Object.values(statesOf(order)).join(' ')

export const started = (id: string, amountTiyin: number, more: Partial<Payment> = {}): NewEvent => ({
  type: 'PaymentStarted',
  payment: {
    id,
    kind: 'card',
    amountTiyin,
    acquirer: 'test',
    capturesAtOnce: true,
    card: { brand: 'uzcard', lastDigits: '0015' },
    reference: null,
    ...more,
  },
})
export const authorised = (paymentId: string): NewEvent => ({ type: 'PaymentAuthorised', paymentId })
export const captured = (paymentId: string): NewEvent => ({ type: 'PaymentCaptured', paymentId })
export const failed = (paymentId: string): NewEvent => ({
  type: 'PaymentFailed',
  paymentId,
  code: 'declined',
})
export const voided = (paymentId: string): NewEvent => ({ type: 'PaymentVoided', paymentId })
export const voidRequested = (paymentId: string): NewEvent => ({ type: 'VoidRequested', paymentId })
export const captureRequested = (paymentId: string): NewEvent => ({ type: 'CaptureRequested', paymentId })
export const refundRequested = (paymentId: string, refundId: string, amountTiyin: number): NewEvent => ({
  type: 'RefundRequested',
  paymentId,
  refundId,
  amountTiyin,
  reason: 'test',
})
export const refunded = (paymentId: string, refundId: string): NewEvent => ({
  type: 'PaymentRefunded',
  paymentId,
  refundId,
})
export const refundFailed = (paymentId: string, refundId: string): NewEvent => ({
  type: 'RefundFailed',
  paymentId,
  refundId,
  code: 'closed_account',
})

/** Units by line number: `{ 1: 2 }` are two units of line 1. */
type Units = Record<number, number>
const linesOf = (units: Units) =>
  Object.entries(units).map(([line, quantity]) => ({ line: Number(line), quantity }))

export const allUnits: Units = { 1: 2, 2: 1 }
export const packed = (fulfilmentId: string, units: Units): NewEvent => ({
  type: 'FulfilmentCreated',
  fulfilmentId,
  lines: linesOf(units),
})
export const shipped = (fulfilmentId: string): NewEvent => ({
  type: 'FulfilmentShipped',
  fulfilmentId,
  carrier: 'BTS',
  trackingNumber: '42',
})
export const delivered = (fulfilmentId: string): NewEvent => ({ type: 'FulfilmentDelivered', fulfilmentId })
export const unpacked = (fulfilmentId: string): NewEvent => ({ type: 'FulfilmentCancelled', fulfilmentId })
export const returnRequested = (returnId: string, units: Units, amountTiyin: number): NewEvent => ({
  type: 'ReturnRequested',
  returnId,
  lines: linesOf(units),
  reason: 'test',
  amountTiyin,
})
export const returnReceived = (returnId: string): NewEvent => ({
  type: 'ReturnReceived',
  returnId,
  isRestocked: true,
})
export const returnRejected = (returnId: string): NewEvent => ({
  type: 'ReturnRejected',
  returnId,
  reason: 'test',
})
export const cancelled: NewEvent = { type: 'Cancelled', reason: 'test' }

/** Frequent histories. */
export const paid = [started('p1', 250), captured('p1')]
export const paidAndDelivered = [...paid, packed('f1', allUnits), shipped('f1'), delivered('f1')]
