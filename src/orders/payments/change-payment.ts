import type { Tx } from '../../base/database.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { Order } from '../order.ts'
import { keptTiyin, type Payment, paymentStepsFrom } from './payment.ts'
import { type NewEvent, recordEvents, type Step } from '../record-events.ts'
import { invalidTransition } from '../steps.ts'

const paymentIn = ({ progress }: Order, paymentId: string): Payment => {
  const payment = progress.payments.find((it) => it.id === paymentId)
  if (!payment) throw refuse('not_found')
  return payment
}

/** Requests the capture or the void of an authorised payment. */
export async function changePayment(
  tx: Tx,
  order: Order,
  { paymentId, step }: { paymentId: string; step: 'capture' | 'void' },
): Promise<Step> {
  const payment = paymentIn(order, paymentId)
  const allowed = paymentStepsFrom(payment)
  if (!allowed.includes(step)) throw invalidTransition(payment.status, step, allowed)
  return recordEvents(tx, order, [
    { type: step === 'capture' ? 'CaptureRequested' : 'VoidRequested', paymentId },
  ])
}

export interface RefundRequest {
  paymentId: string
  /** Defaults to everything that was captured and not refunded. */
  amountTiyin?: number | undefined
  reason: string
}

/** Refunds at most what was captured and not refunded yet. */
export async function refundPayment(tx: Tx, order: Order, request: RefundRequest): Promise<Step> {
  const payment = paymentIn(order, request.paymentId)
  const allowed = paymentStepsFrom(payment)
  if (!allowed.includes('refund')) throw invalidTransition(payment.status, 'refund', allowed)
  const kept = keptTiyin(payment)
  const amountTiyin = request.amountTiyin ?? kept
  if (amountTiyin > kept)
    throw refuse('validation_failed', { fields: [{ path: 'amount', rule: 'maximum', limit: kept }] })
  return recordEvents(tx, order, refundEvents(payment, { amountTiyin, reason: request.reason, now: tx.now }))
}

/** The events of a refund. Without an acquirer it completes at once. */
export function refundEvents(
  payment: Payment,
  { amountTiyin, reason, now }: { amountTiyin: number; reason: string; now: Date },
): NewEvent[] {
  const refundId = timedUuid(now)
  const paymentId = payment.id
  const requested: NewEvent = { type: 'RefundRequested', paymentId, refundId, amountTiyin, reason }
  return payment.acquirer === null
    ? [requested, { type: 'PaymentRefunded', paymentId, refundId }]
    : [requested]
}
