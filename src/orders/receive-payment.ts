import type { Tx } from '../base/db.ts'
import { timedUuid } from '../base/random.ts'
import { refuse, type Refusal } from '../base/refusal.ts'
import { type Order, owedTiyin } from './order.ts'
import { capturedTiyin, type PaymentKind, paymentStepsFrom } from './payment.ts'
import { recordEvents, type Step } from './record-events.ts'
import { noteInstalments } from './remember-limits.ts'
import { type Instalment, instalmentsOf } from './schedule.ts'
import { isInInstalments } from './states.ts'
import { allowedSteps, moneyStateOf } from './steps.ts'
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
  const missing = owedTiyin(order) - capturedTiyin(payments)
  const isUnderWay = payments.some((held) => held.status === 'pending' || held.status === 'authorised')
  if (cancelled || isInInstalments(order) || missing <= 0 || isUnderWay) throw noMoneyNow(order, it.kind)
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
  const due = dueInstalments(order)
  if (due.length === 0) throw noMoneyNow(order, 'instalment')
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

const dueInstalments = (order: Order): Instalment[] =>
  isInInstalments(order) && !order.story.cancelled ? instalmentsOf(order).filter((it) => !it.isPaid) : []

/** Says what can be done in its place: with the order, or with a payment that is under way. */
function noMoneyNow(order: Order, kind: PaymentKind): Refusal {
  const { payments } = order.story
  return notNow(moneyStateOf(order), kind, [
    ...(dueInstalments(order).length > 0 ? ['instalment'] : []),
    ...new Set(payments.filter((it) => it.status !== 'captured').flatMap(paymentStepsFrom)),
    ...allowedSteps(order),
  ])
}

const taken = (tx: Tx, it: { kind: PaymentKind; amountTiyin: number; reference: string | null }) => {
  const id = timedUuid(tx.now)
  const payment = { id, ...it, acquirer: null, capturesAtOnce: true, card: null }
  return [
    { type: 'PaymentStarted', payment },
    { type: 'PaymentCaptured', paymentId: id },
  ] as const
}
