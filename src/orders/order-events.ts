// Everything that can happen to an order, and what the order is afterwards.

import type { LineUnits } from './fulfilment.ts'
import type { Story } from './order.ts'
import type { Payment, Refund } from './payment.ts'

export type OrderEvent = { at: Date } & (
  | { type: 'Placed' }
  | { type: 'Cancelled'; reason: string }
  | {
      type: 'PaymentStarted'
      payment: Omit<Payment, 'refunds' | 'at' | 'status' | 'failure' | 'asked' | 'actionUrl'>
    }
  | { type: 'PaymentActionRequired'; paymentId: string; actionUrl: string }
  | { type: 'PaymentAuthorised'; paymentId: string }
  | { type: 'PaymentCaptured'; paymentId: string }
  | { type: 'PaymentFailed'; paymentId: string; code: string }
  | { type: 'PaymentVoided'; paymentId: string }
  | { type: 'CaptureRequested'; paymentId: string }
  | { type: 'VoidRequested'; paymentId: string }
  | { type: 'RefundRequested'; paymentId: string; refundId: string; amountTiyin: number; reason: string }
  | { type: 'PaymentRefunded'; paymentId: string; refundId: string }
  | { type: 'RefundFailed'; paymentId: string; refundId: string; code: string }
  | { type: 'InstalmentsPaid'; paymentId: string; numbers: number[] }
  | { type: 'FulfilmentCreated'; fulfilmentId: string; lines: LineUnits[] }
  | { type: 'FulfilmentShipped'; fulfilmentId: string; carrier: string | null; trackingNumber: string | null }
  | { type: 'FulfilmentDelivered'; fulfilmentId: string }
  | { type: 'FulfilmentCancelled'; fulfilmentId: string }
  | { type: 'ReturnRequested'; returnId: string; lines: LineUnits[]; reason: string; amountTiyin: number }
  | { type: 'ReturnReceived'; returnId: string; isRestocked: boolean }
  | { type: 'ReturnRejected'; returnId: string; reason: string }
)

/** What is known of an order once this has happened too. */
export function evolved(story: Story, event: OrderEvent): Story {
  switch (event.type) {
    case 'Placed':
      return story
    case 'Cancelled':
      return { ...story, cancelled: { reason: event.reason, at: event.at } }
    case 'InstalmentsPaid':
      return { ...story, instalmentsPaid: [...story.instalmentsPaid, ...event.numbers] }
    case 'PaymentStarted':
      return { ...story, payments: [...story.payments, begun(event.payment, event.at)] }
    case 'FulfilmentCreated':
    case 'FulfilmentShipped':
    case 'FulfilmentDelivered':
    case 'FulfilmentCancelled':
      return { ...story, fulfilments: fulfilmentsAfter(story, event) }
    case 'ReturnRequested':
    case 'ReturnReceived':
    case 'ReturnRejected':
      return { ...story, returns: returnsAfter(story, event) }
    default:
      return {
        ...story,
        payments: changed(story.payments, event.paymentId, (it) => paymentAfter(it, event)),
      }
  }
}

type EventOf<Start extends string> = Extract<OrderEvent, { type: `${Start}${string}` }>

const begun = (payment: EventOf<'PaymentStarted'>['payment'], at: Date): Payment => ({
  ...payment,
  status: 'pending',
  asked: null,
  actionUrl: null,
  failure: null,
  refunds: [],
  at,
})

const changed = <T extends { id: string }>(all: readonly T[], id: string, change: (it: T) => T): T[] =>
  all.map((it) => (it.id === id ? change(it) : it))

type PaymentEvent = Exclude<Extract<OrderEvent, { paymentId: string }>, { type: 'InstalmentsPaid' }>

function paymentAfter(payment: Payment, event: PaymentEvent): Payment {
  switch (event.type) {
    case 'PaymentActionRequired':
      return { ...payment, actionUrl: event.actionUrl }
    case 'PaymentAuthorised':
      return { ...payment, status: 'authorised', actionUrl: null, failure: null }
    case 'PaymentCaptured':
      return { ...payment, status: 'captured', asked: null, actionUrl: null, failure: null }
    case 'PaymentFailed':
      return { ...payment, status: 'failed', actionUrl: null, failure: event.code }
    case 'PaymentVoided':
      return { ...payment, status: 'voided', asked: null }
    case 'CaptureRequested':
      return { ...payment, asked: 'capture' }
    case 'VoidRequested':
      return { ...payment, asked: 'void' }
    case 'RefundRequested': {
      const { refundId: id, amountTiyin, reason, at } = event
      return { ...payment, refunds: [...payment.refunds, { id, amountTiyin, reason, status: 'pending', at }] }
    }
    case 'PaymentRefunded':
      return withRefund(payment, event.refundId, 'refunded')
    case 'RefundFailed':
      return withRefund(payment, event.refundId, 'failed')
  }
}

const withRefund = (payment: Payment, id: string, status: Refund['status']): Payment => ({
  ...payment,
  refunds: changed(payment.refunds, id, (it) => ({ ...it, status })),
})

function fulfilmentsAfter({ fulfilments }: Story, event: EventOf<'Fulfilment'>): Story['fulfilments'] {
  if (event.type === 'FulfilmentCreated')
    return [
      ...fulfilments,
      {
        id: event.fulfilmentId,
        status: 'created',
        lines: event.lines,
        carrier: null,
        trackingNumber: null,
        createdAt: event.at,
        shippedAt: null,
        deliveredAt: null,
      },
    ]
  return changed(fulfilments, event.fulfilmentId, (it) => {
    if (event.type === 'FulfilmentDelivered') return { ...it, status: 'delivered', deliveredAt: event.at }
    if (event.type === 'FulfilmentCancelled') return { ...it, status: 'cancelled' }
    const { carrier, trackingNumber, at } = event
    return { ...it, status: 'shipped', carrier, trackingNumber, shippedAt: at }
  })
}

function returnsAfter({ returns }: Story, event: EventOf<'Return'>): Story['returns'] {
  if (event.type === 'ReturnRequested') {
    const { returnId: id, lines, reason, amountTiyin, at } = event
    return [
      ...returns,
      {
        id,
        status: 'requested',
        lines,
        reason,
        amountTiyin,
        isRestocked: false,
        requestedAt: at,
        decidedAt: null,
      },
    ]
  }
  return changed(returns, event.returnId, (it) =>
    event.type === 'ReturnReceived'
      ? { ...it, status: 'received', isRestocked: event.isRestocked, decidedAt: event.at }
      : { ...it, status: 'rejected', decidedAt: event.at },
  )
}
