// Performs tasks at acquirers, outside of transactions: the task is committed first, then the acquirer is called, then
// its reply is stored in a transaction of its own.

import type { Environment, Tx } from '../../base/database.ts'
import { settlePayment, settleRefund } from './settle-payment.ts'
import { lockOrder } from '../store.ts'
import { finishTask, takeDueTasks, type Task } from './store.ts'
import type { Acquirer, Charge, Outcome, RefundOutcome } from './acquirer.ts'

export const tasksPerBatch = 100
const retrySeconds = 120
/** After this many attempts, a charge that is unknown to the acquirer counts as never started. */
const maxFindAttempts = 2

/** The card of the current request. */
export type PresentedCard = Pick<Charge, 'card' | 'capturesAtOnce'>

/** Runs transactions: the database of a server, or a job that holds its lease. */
export interface Transactions {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export class PaymentProcessor {
  readonly #transactions: Transactions
  readonly #acquirers: ReadonlyMap<string, Acquirer>
  readonly #onNoReply: (task: Task, error: unknown) => void

  /** `onNoReply` is called when an acquirer did not reply. */
  constructor(
    transactions: Transactions,
    acquirers: readonly Acquirer[],
    onNoReply: (task: Task, error: unknown) => void,
  ) {
    this.#transactions = transactions
    this.#acquirers = new Map(acquirers.map((it) => [it.name, it]))
    this.#onNoReply = onNoReply
  }

  /** The acquirer for new charges; undefined when the shop has none. */
  get main(): Acquirer | undefined {
    return this.#acquirers.values().next().value
  }

  acquirer(name: string): Acquirer | undefined {
    return this.#acquirers.get(name)
  }

  /** Performs tasks. Tasks without a reply are retried later by `performDue`. */
  async perform(tasks: readonly Task[], card?: PresentedCard): Promise<void> {
    for (const task of tasks)
      try {
        await this.#performOne(task, card)
      } catch (error) {
        this.#onNoReply(task, error)
      }
  }

  /** Performs overdue tasks; returns their number. */
  async performDue(): Promise<number> {
    const tasks = await this.#transactions.transaction((tx) =>
      takeDueTasks(tx, tasksPerBatch, new Date(tx.now.getTime() + retrySeconds * 1000)),
    )
    await this.perform(tasks)
    return tasks.length
  }

  async #performOne(task: Task, card: PresentedCard | undefined): Promise<void> {
    const acquirer = this.#acquirers.get(task.acquirer)
    if (!acquirer) throw new Error(`unknown acquirer "${task.acquirer}"`)
    const { paymentId, refundId, amountTiyin } = task
    if (task.kind === 'refund') {
      const outcome = await acquirer.refund(paymentId, { refundId: refundId!, amountTiyin })
      return this.#settle(task, { outcome, refundId: refundId! })
    }
    if (task.kind !== 'authorise')
      return this.#settle(task, { outcome: await acquirer[task.kind](paymentId) })
    const outcome = card
      ? await acquirer.authorise({
          paymentId,
          amountTiyin,
          capturesAtOnce: card.capturesAtOnce,
          card: card.card,
        })
      : await acquirer.find(paymentId)
    // Card numbers are not stored, so a charge that never started cannot be retried.
    if (outcome) return this.#settle(task, { outcome })
    if (task.attempts >= maxFindAttempts)
      return this.#settle(task, { outcome: { status: 'failed', code: 'abandoned' } })
  }

  /** Stores the reply, then performs the tasks that follow from it, such as the refund of an excess payment. */
  async #settle(
    task: Task,
    reply: { outcome: Outcome } | { outcome: RefundOutcome; refundId: string },
  ): Promise<void> {
    const { orderId, paymentId } = task
    const { tasks } = await this.#transactions.transaction(async (tx) => {
      const order = (await lockOrder(tx, orderId))!
      // The task of a pending charge stays open until the outcome is known.
      if (reply.outcome.status !== 'pending') finishTask(tx, task.id)
      return 'refundId' in reply
        ? settleRefund(tx, order, { paymentId, ...reply })
        : settlePayment(tx, order, { paymentId, ...reply })
    })
    await this.perform(tasks)
  }
}

export type PaymentProcessors = Record<Environment, PaymentProcessor>
