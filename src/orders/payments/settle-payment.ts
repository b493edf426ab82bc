// Applies outcomes from acquirers to orders. Outcomes may arrive late, repeatedly or out of order: a status is never
// replaced by one of lower rank, and money that is no longer owed is voided or refunded.

import type { Tx } from '../../base/database.ts'
import { sumTiyin } from '../../base/money.ts'
import { reversalEvents } from '../cancel-order.ts'
import { refundEvents } from './change-payment.ts'
import { applyEvents, type Order, owedTiyin } from '../order.ts'
import type { OrderEvent } from '../order-events.ts'
import { keptTiyin, type Payment, paymentStatuses, securedTiyin } from './payment.ts'
import type { Outcome, RefundOutcome, Callback } from './acquirer.ts'
import { type NewEvent, recordEvents, type Step } from '../record-events.ts'
import { finishAuthorisation, isNewCallback, orderOfPayment } from './store.ts'
import { countPaidInstalments } from '../placing/count-orders.ts'
import { openInstalments } from './instalments.ts'
import { instalmentsPaid } from './receive-payment.ts'
import { refuse } from '../../base/refusal.ts'
import { lockOrder } from '../store.ts'

/** Applies the outcome of a payment to a locked order. */
export async function settlePayment(
  tx: Tx,
  order: Order,
  { paymentId, outcome }: { paymentId: string; outcome: Outcome },
): Promise<Step> {
  const events = outcomeEvents(order, { paymentId, outcome }, tx.now)
  if (outcome.status !== 'pending') finishAuthorisation(tx, paymentId)
  if (events.length === 0) return { order, tasks: [] }
  const step = await recordEvents(tx, order, events)
  countPaidInstalments(tx, order, step.order)
  return step
}

/** The events that follow from an outcome; none when it is outdated or repeated. */
export function outcomeEvents(
  order: Order,
  { paymentId, outcome }: { paymentId: string; outcome: Outcome },
  now: Date,
): NewEvent[] {
  const payment = order.progress.payments.find((it) => it.id === paymentId)!
  const newEvents = newEventsOf(payment, outcome)
  if (newEvents.length === 0) return []
  const updated = applyEvents(
    order,
    newEvents.map((it) => ({ ...it, at: now }) as OrderEvent),
  )
  return [...newEvents, ...followingEvents(updated, paymentId, now)]
}

function followingEvents(order: Order, paymentId: string, now: Date): NewEvent[] {
  const payment = order.progress.payments.find((it) => it.id === paymentId)!
  return payment.instalments && !order.progress.cancelled
    ? coveredInstalments(order, payment, now)
    : excessPayment(order, paymentId, now)
}

/** The instalments that captured money pays. Money for those that are no longer open, or were reduced, is refunded. */
function coveredInstalments(order: Order, payment: Payment, now: Date): NewEvent[] {
  if (payment.status !== 'captured') return []
  const agreed = new Map(
    payment.instalments!.map((it, at) => [it, payment.instalmentsTiyin?.[at] ?? Infinity]),
  )
  const chosen = openInstalments(order).flatMap((it) =>
    agreed.has(it.number) ? [{ ...it, amountTiyin: Math.min(it.amountTiyin, agreed.get(it.number)!) }] : [],
  )
  const amountTiyin = keptTiyin(payment) - sumTiyin(chosen.map((it) => it.amountTiyin))
  return [
    ...(chosen.length > 0 ? [instalmentsPaid(payment.id, chosen)] : []),
    ...(amountTiyin > 0 ? refundEvents(payment, { amountTiyin, reason: 'no longer owed', now }) : []),
  ]
}

const rankOf = (status: Payment['status']) => paymentStatuses.indexOf(status)

function newEventsOf(payment: Payment, outcome: Outcome): NewEvent[] {
  const paymentId = payment.id
  if (outcome.status === 'pending')
    return payment.status === 'pending' && outcome.actionUrl && outcome.actionUrl !== payment.actionUrl
      ? [{ type: 'PaymentActionRequired', paymentId, actionUrl: outcome.actionUrl }]
      : []
  // A voided charge was never captured: when both are reported, the void is outdated.
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

/** Reverses a payment for an order that was cancelled, paid otherwise or partly returned in the meantime. */
function excessPayment(order: Order, paymentId: string, now: Date): NewEvent[] {
  const isTooMuch = securedTiyin(order.progress.payments) > order.amountTiyin
  if (!order.progress.cancelled && !isTooMuch) return refundsForReturned(order, paymentId, now)
  const payments = order.progress.payments.filter((it) => it.id === paymentId)
  const reason = order.progress.cancelled ? 'order cancelled' : 'paid twice'
  return reversalEvents({ ...order, progress: { ...order.progress, payments } }, now, reason)
}

/** A capture takes the whole authorised amount; the part for units returned before it is refunded. */
function refundsForReturned(order: Order, paymentId: string, now: Date): NewEvent[] {
  const payment = order.progress.payments.find((it) => it.id === paymentId)!
  const held = order.progress.payments.map((it) =>
    it.status === 'authorised' ? it.amountTiyin : keptTiyin(it),
  )
  const amountTiyin = Math.min(keptTiyin(payment), sumTiyin(held) - owedTiyin(order))
  return amountTiyin > 0 ? refundEvents(payment, { amountTiyin, reason: 'returned', now }) : []
}

/** Applies the outcome of a refund. */
export async function settleRefund(
  tx: Tx,
  order: Order,
  { paymentId, refundId, outcome }: { paymentId: string; refundId: string; outcome: RefundOutcome },
): Promise<Step> {
  const payment = order.progress.payments.find((it) => it.id === paymentId)!
  const refund = payment.refunds.find((it) => it.id === refundId)
  if (refund?.status !== 'pending') return { order, tasks: [] }
  return recordEvents(tx, order, [
    outcome.status === 'refunded'
      ? { type: 'PaymentRefunded', paymentId, refundId }
      : { type: 'RefundFailed', paymentId, refundId, code: outcome.code },
  ])
}

/** Handles a callback of an acquirer. Idempotent per callback id. */
export async function handleCallback(
  tx: Tx,
  acquirer: string,
  { id, paymentId, outcome }: Callback,
): Promise<Pick<Step, 'tasks'>> {
  const found = await orderOfPayment(tx, paymentId, acquirer)
  if (!found) throw refuse('not_found')
  if (!(await isNewCallback(tx, acquirer, id))) return { tasks: [] }
  const order = (await lockOrder(tx, found.orderId))!
  return settlePayment(tx, order, { paymentId, outcome })
}
