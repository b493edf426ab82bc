import type { Tx } from '../../base/database.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse, type Refusal } from '../../base/refusal.ts'
import { type Order, owedTiyin } from '../order.ts'
import { capturedTiyin, type PaymentKind, paymentStepsFrom } from './payment.ts'
import { type NewEvent, recordEvents, type Step } from '../record-events.ts'
import { countPaidInstalments } from '../placing/count-orders.ts'
import {
  asPaid,
  chosenInstalments,
  type Instalment,
  type InstalmentChoice,
  isInInstalments,
  openInstalments,
} from './instalments.ts'
import { allowedSteps, hasOpenPayment, paymentStateOf, invalidTransition } from '../steps.ts'

export interface Received {
  kind: Exclude<PaymentKind, 'card' | 'instalment'>
  /** Defaults to everything that is due. */
  amountTiyin?: number | undefined
  reference: string | null
}

/** Records a payment made outside the platform: cash, a transfer, a terminal. */
export async function receivePayment(tx: Tx, order: Order, it: Received): Promise<Step> {
  const { payments, cancelled } = order.progress
  const missing = owedTiyin(order) - capturedTiyin(payments)
  if (cancelled || isInInstalments(order) || missing <= 0 || hasOpenPayment(order))
    throw paymentNotPossible(order, it.kind)
  const amountTiyin = it.amountTiyin ?? missing
  if (amountTiyin > missing)
    throw refuse('validation_failed', { fields: [{ path: 'amount', rule: 'maximum', limit: missing }] })
  return recordEvents(tx, order, capturedEvents(tx, { kind: it.kind, amountTiyin, reference: it.reference }))
}

/** Records that the next instalments were paid and releases the credit they used. */
export async function receiveInstalments(
  tx: Tx,
  order: Order,
  { choice, reference, today }: { choice: InstalmentChoice; reference: string | null; today: string },
): Promise<Step> {
  const open = openInstalments(order)
  if (open.length === 0 || hasOpenPayment(order)) throw paymentNotPossible(order, 'instalment')
  if (choice.kind === 'first' && choice.count > open.length)
    throw refuse('validation_failed', { fields: [{ path: 'count', rule: 'maximum', limit: open.length }] })
  const paid = asPaid(chosenInstalments(open, choice), choice, today)
  if (paid.length === 0) throw notOpen(open)
  const amountTiyin = paid.reduce((sum, it) => sum + it.amountTiyin, 0)
  const events = capturedEvents(tx, { kind: 'instalment', amountTiyin, reference })
  const step = await recordEvents(tx, order, [...events, instalmentsPaid(events[0].payment.id, paid)])
  countPaidInstalments(tx, order, step.order)
  return step
}

/** The event for instalments that were paid as they were due then. */
export const instalmentsPaid = (paymentId: string, paid: readonly Instalment[]): NewEvent => ({
  type: 'InstalmentsPaid',
  paymentId,
  numbers: paid.map((it) => it.number),
  parts: paid.map(({ amountTiyin, principalTiyin }) => ({ amountTiyin, principalTiyin })),
})

/** The refusal of an instalment that is paid or does not exist. */
export const notOpen = (open: readonly Instalment[]): Refusal =>
  refuse('validation_failed', {
    fields: [{ path: 'instalment', rule: 'choice', limit: open.map((it) => it.number) }],
  })

/** The refusal lists what is possible instead, for the order and for open payments. */
function paymentNotPossible(order: Order, kind: PaymentKind): Refusal {
  const { payments } = order.progress
  return invalidTransition(paymentStateOf(order), kind, [
    ...(openInstalments(order).length > 0 ? ['instalment'] : []),
    ...new Set(payments.filter((it) => it.status !== 'captured').flatMap(paymentStepsFrom)),
    ...allowedSteps(order, 'staff'),
  ])
}

const capturedEvents = (tx: Tx, it: { kind: PaymentKind; amountTiyin: number; reference: string | null }) => {
  const id = timedUuid(tx.now)
  const payment = { id, ...it, acquirer: null, capturesAtOnce: true, card: null }
  return [
    { type: 'PaymentStarted', payment },
    { type: 'PaymentCaptured', paymentId: id },
  ] as const
}
