import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import { timedUuid } from '../base/random.ts'
import { factsOf } from './facts.ts'
import { after, type Order } from './order.ts'
import type { OrderEvent } from './order-events.ts'
import { statesOf } from './states.ts'
import { appendEvents } from './store/orders.ts'
import { insertTask, type Task } from './store/payments.ts'

/** An order after a step, and what is now to be asked of acquirers. */
export interface Step {
  order: Order
  tasks: Task[]
}

/** An event before it has happened. */
export type Happening = OrderEvent extends infer E ? (E extends { at: Date } ? Omit<E, 'at'> : never) : never

/** So long whoever wrote a task has it for himself. */
const firstLookSeconds = 60

/** Writes down what happens to an order that is locked, tells others, and notes what acquirers are to be asked. */
export async function recordEvents(tx: Tx, before: Order, happenings: readonly Happening[]): Promise<Step> {
  if (happenings.length === 0) return { order: before, tasks: [] }
  const events = happenings.map((it) => ({ ...it, at: tx.now }) as OrderEvent)
  const order = after(before, events)
  appendEvents(tx, order, { events, states: statesOf(order) })
  const tasks = events.flatMap((it) => taskOf(order, it, timedUuid(tx.now)) ?? [])
  const nextAt = new Date(tx.now.getTime() + firstLookSeconds * 1000)
  for (const task of tasks) insertTask(tx, task, nextAt)
  await publishAll(tx, factsOf(before, order, events))
  return { order, tasks }
}

function taskOf(order: Order, event: OrderEvent, id: string): Task | undefined {
  const kind = kindOf(event)
  if (!kind) return undefined
  const paymentId =
    event.type === 'PaymentStarted' ? event.payment.id : (event as { paymentId: string }).paymentId
  const payment = order.story.payments.find((it) => it.id === paymentId)!
  if (payment.acquirer === null) return undefined
  return {
    id,
    orderId: order.id,
    paymentId,
    acquirer: payment.acquirer,
    kind,
    refundId: event.type === 'RefundRequested' ? event.refundId : null,
    amountTiyin: event.type === 'RefundRequested' ? event.amountTiyin : payment.amountTiyin,
    attempts: 0,
  }
}

function kindOf({ type }: OrderEvent): Task['kind'] | undefined {
  switch (type) {
    case 'PaymentStarted':
      return 'authorise'
    case 'CaptureRequested':
      return 'capture'
    case 'VoidRequested':
      return 'void'
    case 'RefundRequested':
      return 'refund'
    default:
      return undefined
  }
}
