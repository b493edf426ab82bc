import type { Tx } from '../base/database.ts'
import { publishAll } from '../base/outbox.ts'
import { timedUuid } from '../base/random.ts'
import { eventsToPublish } from './published-events.ts'
import { applyEvents, type Order } from './order.ts'
import type { OrderEvent } from './order-events.ts'
import { statesOf } from './states.ts'
import { appendEvents } from './store.ts'
import { insertTask, type Task } from './payments/store.ts'

/** An order after a step, and the new tasks for acquirers. */
export interface Step {
  order: Order
  tasks: Task[]
}

/** An event without its time. */
export type NewEvent = OrderEvent extends infer E ? (E extends { at: Date } ? Omit<E, 'at'> : never) : never

/** The request that creates a task performs it first; the job retries it only after this time. */
const firstRetrySeconds = 60

/** Appends events to a locked order, publishes them, and stores the tasks for acquirers that follow from them. */
export async function recordEvents(tx: Tx, before: Order, newEvents: readonly NewEvent[]): Promise<Step> {
  if (newEvents.length === 0) return { order: before, tasks: [] }
  const events = newEvents.map((it) => ({ ...it, at: tx.now }) as OrderEvent)
  const order = applyEvents(before, events)
  appendEvents(tx, order, { events, states: statesOf(order) })
  const tasks = events.flatMap((it) => taskOf(order, it, timedUuid(tx.now)) ?? [])
  const nextAt = new Date(tx.now.getTime() + firstRetrySeconds * 1000)
  for (const task of tasks) insertTask(tx, task, nextAt)
  publishAll(tx, eventsToPublish(before, order, events))
  return { order, tasks }
}

function taskOf(order: Order, event: OrderEvent, id: string): Task | undefined {
  const kind = kindOf(event)
  if (!kind) return undefined
  const paymentId =
    event.type === 'PaymentStarted' ? event.payment.id : (event as { paymentId: string }).paymentId
  const payment = order.progress.payments.find((it) => it.id === paymentId)!
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
