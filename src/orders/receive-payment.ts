import type { Tx } from '../base/db.ts'
import { timedUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Order } from './order.ts'
import { capturedTiyin, type PaymentKind } from './payment.ts'
import { recordEvents, type Step } from './record-events.ts'
import { noteInstalments } from './remember-limits.ts'
import { instalmentsOf } from './schedule.ts'
import { isInInstalments, statesOf } from './states.ts'
import { notNow } from './transition.ts'

export interface Received {
  kind: Exclude<PaymentKind, 'card' | 'instalment'>
  /** All that is missing when left out. */
  amountTiyin?: number | undefined
  reference: string | null
}

/** Notes money that came without us: cash at the door, a transfer, a terminal. */
export async function receivePayment(tx: Tx, order: Order, it: Received): Promise<Step> {
  const { payments, cancelled } = order.story
  const missing = order.amountTiyin - capturedTiyin(payments)
  if (cancelled || isInInstalments(order) || missing <= 0)
    throw notNow(statesOf(order).paymentStatus, it.kind, isInInstalments(order) ? ['instalment'] : [])
  if (payments.some((held) => held.status === 'pending' || held.status === 'authorised'))
    throw notNow(statesOf(order).paymentStatus, it.kind, ['capture', 'void'])
  const amountTiyin = it.amountTiyin ?? missing
  if (amountTiyin > missing)
    throw refuse('validation_failed', { fields: [{ path: 'amount', rule: 'maximum', limit: missing }] })
  return recordEvents(tx, order, taken(tx, { kind: it.kind, amountTiyin, reference: it.reference }))
}

/** Notes that the next instalments were paid, and frees the credit that they had used. */
export async function receiveInstalments(
  tx: Tx,
  order: Order,
  { count, reference }: { count: number; reference: string | null },
): Promise<Step> {
  const due = instalmentsOf(order).filter((it) => !it.isPaid)
  if (order.story.cancelled || !isInInstalments(order) || due.length === 0)
    throw notNow(statesOf(order).paymentStatus, 'instalment', [])
  if (count > due.length)
    throw refuse('validation_failed', { fields: [{ path: 'count', rule: 'maximum', limit: due.length }] })
  const paid = due.slice(0, count)
  const amountTiyin = paid.reduce((sum, it) => sum + it.amountTiyin, 0)
  const events = taken(tx, { kind: 'instalment', amountTiyin, reference })
  const step = await recordEvents(tx, order, [
    ...events,
    { type: 'InstalmentsPaid', paymentId: events[0].payment.id, numbers: paid.map((it) => it.number) },
  ])
  noteInstalments(tx, order, step.order)
  return step
}

const taken = (tx: Tx, it: { kind: PaymentKind; amountTiyin: number; reference: string | null }) => {
  const id = timedUuid(tx.now)
  const payment = { id, ...it, acquirer: null, capturesAtOnce: true, card: null }
  return [
    { type: 'PaymentStarted', payment },
    { type: 'PaymentCaptured', paymentId: id },
  ] as const
}
