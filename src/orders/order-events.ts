// The events of an order, and how each changes its progress.

import type { Fulfilment, LineUnits } from './fulfilment/fulfilment.ts'
import type { Payment, Refund } from './payments/payment.ts'
import type { Return, ReturnedCommission, ReturnedLine } from './returns/return.ts'

/** The state of an order that follows from its events. */
export interface OrderProgress {
  cancelled: { reason: string; at: Date } | null
  /** Whether the lines of the cancelled order went back to the cart. */
  isInCart: boolean
  payments: Payment[]
  fulfilments: Fulfilment[]
  returns: Return[]
  instalmentsPaid: PaidInstalment[]
  /** Numbers of instalments that were not paid on their day, whether or not they were paid later. */
  instalmentsOverdue: number[]
}

/** A paid instalment. Events that were recorded before amounts were stored lack them: the agreed ones were paid. */
export interface PaidInstalment {
  number: number
  paymentId: string
  amountTiyin?: number
  principalTiyin?: number
  at: Date
}

export const noProgress: OrderProgress = {
  cancelled: null,
  isInCart: false,
  payments: [],
  fulfilments: [],
  returns: [],
  instalmentsPaid: [],
  instalmentsOverdue: [],
}

export type OrderEvent = { at: Date } & (
  | { type: 'Placed' }
  | { type: 'Cancelled'; reason: string }
  | { type: 'PutBackIntoCart' }
  | {
      type: 'PaymentStarted'
      payment: Omit<Payment, 'refunds' | 'at' | 'status' | 'failure' | 'requestedStep' | 'actionUrl'>
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
  | {
      type: 'InstalmentsPaid'
      paymentId: string
      numbers: number[]
      parts?: { amountTiyin: number; principalTiyin: number }[]
    }
  | { type: 'InstalmentsOverdue'; numbers: number[]; amountTiyin: number }
  | { type: 'FulfilmentCreated'; fulfilmentId: string; lines: LineUnits[] }
  | { type: 'FulfilmentShipped'; fulfilmentId: string; carrier: string | null; trackingNumber: string | null }
  | { type: 'FulfilmentDelivered'; fulfilmentId: string }
  | { type: 'FulfilmentCancelled'; fulfilmentId: string }
  | { type: 'ReturnRequested'; returnId: string; lines: ReturnedLine[]; reason: string; amountTiyin: number }
  | { type: 'ReturnReceived'; returnId: string; isRestocked: boolean; commission?: ReturnedCommission }
  | { type: 'ReturnRejected'; returnId: string; reason: string }
)

/** A record, so that the compiler finds a type that is missing. */
// oxfmt-ignore
const eventTypes: Record<OrderEvent['type'], true> = {
  Placed: true, Cancelled: true, PutBackIntoCart: true, PaymentStarted: true, PaymentActionRequired: true,
  PaymentAuthorised: true, PaymentCaptured: true, PaymentFailed: true, PaymentVoided: true, CaptureRequested: true,
  VoidRequested: true, RefundRequested: true, PaymentRefunded: true, RefundFailed: true, InstalmentsPaid: true,
  InstalmentsOverdue: true, FulfilmentCreated: true, FulfilmentShipped: true, FulfilmentDelivered: true,
  FulfilmentCancelled: true, ReturnRequested: true, ReturnReceived: true, ReturnRejected: true,
}
export const orderEventTypes = Object.keys(eventTypes) as OrderEvent['type'][]

/** The progress after one more event. */
export function applyEvent(progress: OrderProgress, event: OrderEvent): OrderProgress {
  switch (event.type) {
    case 'Placed':
      return progress
    case 'Cancelled':
      return { ...progress, cancelled: { reason: event.reason, at: event.at } }
    case 'PutBackIntoCart':
      return { ...progress, isInCart: true }
    case 'InstalmentsPaid':
      return { ...progress, instalmentsPaid: [...progress.instalmentsPaid, ...paidBy(event)] }
    case 'InstalmentsOverdue':
      return { ...progress, instalmentsOverdue: [...progress.instalmentsOverdue, ...event.numbers] }
    case 'PaymentStarted':
      return { ...progress, payments: [...progress.payments, startedPayment(event.payment, event.at)] }
    case 'FulfilmentCreated':
    case 'FulfilmentShipped':
    case 'FulfilmentDelivered':
    case 'FulfilmentCancelled':
      return { ...progress, fulfilments: fulfilmentsAfter(progress, event) }
    case 'ReturnRequested':
    case 'ReturnReceived':
    case 'ReturnRejected':
      return { ...progress, returns: returnsAfter(progress, event) }
    default:
      return {
        ...progress,
        payments: replaceById(progress.payments, event.paymentId, (it) => paymentAfter(it, event)),
      }
  }
}

const paidBy = ({ numbers, parts, paymentId, at }: EventOf<'InstalmentsPaid'>): PaidInstalment[] =>
  numbers.map((number, index) => ({ number, paymentId, ...parts?.[index], at }))

type EventOf<Start extends string> = Extract<OrderEvent, { type: `${Start}${string}` }>

const startedPayment = (payment: EventOf<'PaymentStarted'>['payment'], at: Date): Payment => ({
  ...payment,
  status: 'pending',
  requestedStep: null,
  actionUrl: null,
  failure: null,
  refunds: [],
  at,
})

const replaceById = <T extends { id: string }>(all: readonly T[], id: string, change: (it: T) => T): T[] =>
  all.map((it) => (it.id === id ? change(it) : it))

type PaymentEvent = Exclude<Extract<OrderEvent, { paymentId: string }>, { type: 'InstalmentsPaid' }>

function paymentAfter(payment: Payment, event: PaymentEvent): Payment {
  switch (event.type) {
    case 'PaymentActionRequired':
      return { ...payment, actionUrl: event.actionUrl }
    case 'PaymentAuthorised':
      return { ...payment, status: 'authorised', actionUrl: null, failure: null }
    case 'PaymentCaptured':
      return { ...payment, status: 'captured', requestedStep: null, actionUrl: null, failure: null }
    case 'PaymentFailed':
      return { ...payment, status: 'failed', actionUrl: null, failure: event.code }
    case 'PaymentVoided':
      return { ...payment, status: 'voided', requestedStep: null }
    case 'CaptureRequested':
      return { ...payment, requestedStep: 'capture' }
    case 'VoidRequested':
      return { ...payment, requestedStep: 'void' }
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
  refunds: replaceById(payment.refunds, id, (it) => ({ ...it, status })),
})

function fulfilmentsAfter(
  { fulfilments }: OrderProgress,
  event: EventOf<'Fulfilment'>,
): OrderProgress['fulfilments'] {
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
  return replaceById(fulfilments, event.fulfilmentId, (it) => {
    if (event.type === 'FulfilmentDelivered') return { ...it, status: 'delivered', deliveredAt: event.at }
    if (event.type === 'FulfilmentCancelled') return { ...it, status: 'cancelled' }
    const { carrier, trackingNumber, at } = event
    return { ...it, status: 'shipped', carrier, trackingNumber, shippedAt: at }
  })
}

function returnsAfter({ returns }: OrderProgress, event: EventOf<'Return'>): OrderProgress['returns'] {
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
        commission: null,
        requestedAt: at,
        decidedAt: null,
      },
    ]
  }
  return replaceById(returns, event.returnId, (it) =>
    event.type === 'ReturnReceived'
      ? {
          ...it,
          status: 'received',
          isRestocked: event.isRestocked,
          commission: event.commission ?? null,
          decidedAt: event.at,
        }
      : { ...it, status: 'rejected', decidedAt: event.at },
  )
}
