// What an acquirer says of a payment becomes part of the order's story. It may say it twice, late or out of order:
// a state never gives way to one of lower rank, and money that nobody waits for any more goes back.

import type { Tx } from '../base/db.ts'
import { sumTiyin } from '../base/money.ts'
import { moneyBack } from './cancel-order.ts'
import { refundOf } from './change-payment.ts'
import { after, type Order, owedTiyin } from './order.ts'
import type { OrderEvent } from './order-events.ts'
import { keptTiyin, type Payment, paymentStatuses, securedTiyin } from './payment.ts'
import type { Outcome, RefundOutcome } from './payments/acquirer.ts'
import { type Happening, recordEvents, type Step } from './record-events.ts'
import { finishAsking } from './store/payments.ts'

/** Writes down what became of a payment of an order that is locked. */
export async function settlePayment(
  tx: Tx,
  order: Order,
  { paymentId, outcome }: { paymentId: string; outcome: Outcome },
): Promise<Step> {
  const payment = order.story.payments.find((it) => it.id === paymentId)!
  const told = happeningsOf(payment, outcome)
  if (outcome.status !== 'pending') finishAsking(tx, paymentId)
  if (told.length === 0) return { order, tasks: [] }
  const then = after(
    order,
    told.map((it) => ({ ...it, at: tx.now }) as OrderEvent),
  )
  return recordEvents(tx, order, [...told, ...unwanted(then, paymentId, tx.now)])
}

const rankOf = (status: Payment['status']) => paymentStatuses.indexOf(status)

function happeningsOf(payment: Payment, outcome: Outcome): Happening[] {
  const paymentId = payment.id
  if (outcome.status === 'pending')
    return payment.status === 'pending' && outcome.actionUrl && outcome.actionUrl !== payment.actionUrl
      ? [{ type: 'PaymentActionRequired', paymentId, actionUrl: outcome.actionUrl }]
      : []
  // A voided charge was never taken: a bank that says both means that the first word came late.
  if (rankOf(outcome.status) <= rankOf(payment.status)) return []
  if (outcome.status === 'voided' && payment.status === 'captured') return []
  switch (outcome.status) {
    case 'authorised':
      return [{ type: 'PaymentAuthorised', paymentId }]
    case 'captured':
      return [{ type: 'PaymentCaptured', paymentId }]
    case 'voided':
      return [{ type: 'PaymentVoided', paymentId }]
    case 'failed':
      return [{ type: 'PaymentFailed', paymentId, code: outcome.code }]
  }
}

/** Money for an order that was called off meanwhile, that another payment has paid, or for what has come back. */
function unwanted(order: Order, paymentId: string, now: Date): Happening[] {
  const isTooMuch = securedTiyin(order.story.payments) > order.amountTiyin
  if (!order.story.cancelled && !isTooMuch) return forReturned(order, paymentId, now)
  const payments = order.story.payments.filter((it) => it.id === paymentId)
  const reason = order.story.cancelled ? 'order cancelled' : 'paid twice'
  return moneyBack({ ...order, story: { ...order.story, payments } }, now, reason)
}

/** Promised money is taken whole: what of it is for units that came back before goes back too. */
function forReturned(order: Order, paymentId: string, now: Date): Happening[] {
  const payment = order.story.payments.find((it) => it.id === paymentId)!
  const held = order.story.payments.map((it) => (it.status === 'authorised' ? it.amountTiyin : keptTiyin(it)))
  const amountTiyin = Math.min(keptTiyin(payment), sumTiyin(held) - owedTiyin(order))
  return amountTiyin > 0 ? refundOf(payment, { amountTiyin, reason: 'returned', now }) : []
}

/** Writes down what became of a refund. */
export async function settleRefund(
  tx: Tx,
  order: Order,
  { paymentId, refundId, outcome }: { paymentId: string; refundId: string; outcome: RefundOutcome },
): Promise<Step> {
  const payment = order.story.payments.find((it) => it.id === paymentId)!
  const refund = payment.refunds.find((it) => it.id === refundId)
  if (refund?.status !== 'pending') return { order, tasks: [] }
  return recordEvents(tx, order, [
    outcome.status === 'refunded'
      ? { type: 'PaymentRefunded', paymentId, refundId }
      : { type: 'RefundFailed', paymentId, refundId, code: outcome.code },
  ])
}
