import type { Tx } from '../base/db.ts'
import { timedUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Order } from './order.ts'
import { keptTiyin, type Payment, paymentStepsFrom } from './payment.ts'
import { type Happening, recordEvents, type Step } from './record-events.ts'
import { notNow } from './transition.ts'

const paymentIn = ({ story }: Order, paymentId: string): Payment => {
  const payment = story.payments.find((it) => it.id === paymentId)
  if (!payment) throw refuse('not_found')
  return payment
}

/** Asks for promised money to be taken, or to be let go. */
export async function changePayment(
  tx: Tx,
  order: Order,
  { paymentId, step }: { paymentId: string; step: 'capture' | 'void' },
): Promise<Step> {
  const payment = paymentIn(order, paymentId)
  const allowed = paymentStepsFrom(payment)
  if (!allowed.includes(step)) throw notNow(payment.status, step, allowed)
  return recordEvents(tx, order, [
    { type: step === 'capture' ? 'CaptureRequested' : 'VoidRequested', paymentId },
  ])
}

export interface RefundWish {
  paymentId: string
  /** All that was kept when left out. */
  amountTiyin?: number | undefined
  reason: string
}

/** Gives money back, at most what was kept. */
export async function refundPayment(tx: Tx, order: Order, wish: RefundWish): Promise<Step> {
  const payment = paymentIn(order, wish.paymentId)
  const allowed = paymentStepsFrom(payment)
  if (!allowed.includes('refund')) throw notNow(payment.status, 'refund', allowed)
  const kept = keptTiyin(payment)
  const amountTiyin = wish.amountTiyin ?? kept
  if (amountTiyin > kept)
    throw refuse('validation_failed', { fields: [{ path: 'amount', rule: 'maximum', limit: kept }] })
  return recordEvents(tx, order, refundOf(payment, { amountTiyin, reason: wish.reason, now: tx.now }))
}

/** What is written down for a refund; money that nobody outside holds is given back at once. */
export function refundOf(
  payment: Payment,
  { amountTiyin, reason, now }: { amountTiyin: number; reason: string; now: Date },
): Happening[] {
  const refundId = timedUuid(now)
  const paymentId = payment.id
  const asked: Happening = { type: 'RefundRequested', paymentId, refundId, amountTiyin, reason }
  return payment.acquirer === null ? [asked, { type: 'PaymentRefunded', paymentId, refundId }] : [asked]
}
