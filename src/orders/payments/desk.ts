// Where the shop speaks with acquirers. Nothing here happens inside a transaction: a task is committed first, then the
// acquirer is asked, then its answer is written down in a transaction of its own.

import type { Tx } from '../../base/db.ts'
import { settlePayment, settleRefund } from '../settle-payment.ts'
import { lockOrder } from '../store/orders.ts'
import { finishTask, takeDueTasks, type Task } from '../store/payments.ts'
import type { Acquirer, Charge, Outcome, RefundOutcome } from './acquirer.ts'

export const tasksPerLook = 100
const retrySeconds = 120
/** An acquirer that does not know a charge when it is asked so often has never heard of it. */
const asksBeforeGivenUp = 2

/** A card that somebody has just shown us. */
export type CardInHand = Pick<Charge, 'card' | 'capturesAtOnce'>

/** A way to the database: of a server, or of a job that holds its lease. */
export interface Way {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export class PaymentDesk {
  readonly #way: Way
  readonly #acquirers: ReadonlyMap<string, Acquirer>
  readonly #onSilence: (task: Task, error: unknown) => void

  /** `onSilence` hears of acquirers that did not answer. */
  constructor(way: Way, acquirers: readonly Acquirer[], onSilence: (task: Task, error: unknown) => void) {
    this.#way = way
    this.#acquirers = new Map(acquirers.map((it) => [it.name, it]))
    this.#onSilence = onSilence
  }

  /** The acquirer for new charges; undefined when the shop has none. */
  get main(): Acquirer | undefined {
    return this.#acquirers.values().next().value
  }

  acquirer(name: string): Acquirer | undefined {
    return this.#acquirers.get(name)
  }

  /** Sees to tasks as far as acquirers answer; what they do not answer now is asked again later. */
  async perform(tasks: readonly Task[], card?: CardInHand): Promise<void> {
    for (const task of tasks)
      try {
        await this.#performOne(task, card)
      } catch (error) {
        this.#onSilence(task, error)
      }
  }

  /** Sees to tasks that were left behind; returns how many there were. */
  async performDue(): Promise<number> {
    const tasks = await this.#way.transaction((tx) =>
      takeDueTasks(tx, tasksPerLook, new Date(tx.now.getTime() + retrySeconds * 1000)),
    )
    await this.perform(tasks)
    return tasks.length
  }

  async #performOne(task: Task, card: CardInHand | undefined): Promise<void> {
    const acquirer = this.#acquirers.get(task.acquirer)
    if (!acquirer) throw new Error(`there is no acquirer "${task.acquirer}"`)
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
    // The card is written down nowhere: a charge that was never begun cannot be begun again.
    if (outcome) return this.#settle(task, { outcome })
    if (task.attempts >= asksBeforeGivenUp)
      return this.#settle(task, { outcome: { status: 'failed', code: 'abandoned' } })
  }

  /** Writes the answer down; what follows from it, such as money that nobody waits for any more, is asked for next. */
  async #settle(
    task: Task,
    answer: { outcome: Outcome } | { outcome: RefundOutcome; refundId: string },
  ): Promise<void> {
    const { orderId, paymentId } = task
    const { tasks } = await this.#way.transaction(async (tx) => {
      const order = (await lockOrder(tx, orderId))!
      // A charge that waits for its buyer is asked after until it has ended.
      if (answer.outcome.status !== 'pending') finishTask(tx, task.id)
      return 'refundId' in answer
        ? settleRefund(tx, order, { paymentId, ...answer })
        : settlePayment(tx, order, { paymentId, ...answer })
    })
    await this.perform(tasks)
  }
}
