import type { Config } from '../../base/config.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job, JobContext } from '../../base/jobs.ts'
import { sumTiyin } from '../../base/money.ts'
import { Refusal } from '../../base/refusal.ts'
import { dayIn } from '../../base/time-zone.ts'
import { paymentMethods } from '../../cart/index.ts'
import { cancelOrder } from '../cancel-order.ts'
import { handleCallback } from './settle-payment.ts'
import { type AcquirerSettings, acquirersOf } from './acquirers.ts'
import { PaymentProcessor, tasksPerBatch } from './payment-processor.ts'
import { testAcquirerName } from './test-acquirer.ts'
import { recordEvents } from '../record-events.ts'
import { newlyOverdue } from './instalments.ts'
import { lockOrder, openOrdersAfter, unpaidBefore } from '../store.ts'
import { callbacksBefore, tasksBefore, type Task } from './store.ts'
import { takeDueCallbacks } from './test-acquirer-store.ts'
import { statesOf } from '../states.ts'

const batch = 100
const keepDays = 30

type Settings = Pick<Config, 'unpaidOrderMinutes' | 'timezone'> & AcquirerSettings

export const orderJobs = ({ unpaidOrderMinutes: minutes, ...settings }: Settings): Job[] => [
  {
    name: 'release-unpaid-orders',
    cron: '0 * * * * ?',
    description: `Cancels card orders that are not paid within ${minutes} minutes; their units are for sale again.`,
    run: (work) => releaseUnpaid(work, minutes, settings),
  },
  {
    name: 'settle-payments',
    cron: '30 * * * * ?',
    description: 'Repeats requests to acquirers that had no reply.',
    run: (work) => repeatRequests(work, settings),
  },
  {
    name: 'deliver-test-callbacks',
    cron: '15 * * * * ?',
    description: 'Delivers due callbacks of the test acquirer.',
    run: (work) => deliverTestCallbacks(work, settings),
  },
  {
    name: 'report-overdue-instalments',
    cron: '0 5 0 * * ?',
    description: 'Publishes instalments that were not paid on their day, each once.',
    run: (work) => reportOverdue(work, dayIn(settings.timezone)),
  },
  {
    name: 'purge-payment-tasks',
    cron: '0 20 3 * * ?',
    isPurge: true,
    description: `Deletes finished tasks for acquirers and received callbacks after ${keepDays} days.`,
    run: async (work) => {
      const tasks = await deleteInBatches(work, { days: keepDays, sql: tasksBefore })
      const callbacks = await deleteInBatches(work, { days: keepDays, sql: callbacksBefore })
      return `purged ${tasks} tasks and ${callbacks} callbacks`
    },
  },
]

async function releaseUnpaid(work: JobContext, minutes: number, settings: AcquirerSettings): Promise<string> {
  const { processor } = openProcessor(work, settings)
  for (let total = 0; ;) {
    const ids = await work.packet((read) =>
      unpaidBefore(read, new Date(read.now.getTime() - minutes * 60_000), batch),
    )
    for (const id of ids) {
      const tasks = await work.transaction(async (tx) => {
        const order = (await lockOrder(tx, id))!
        // The order may have been paid or cancelled since the query.
        if (statesOf(order).status !== 'awaiting_payment') return []
        return (await cancelOrder(tx, order, { reason: 'unpaid', caller: 'staff' })).tasks
      })
      // Part of it may have been paid.
      await processor.perform(tasks)
    }
    total += ids.length
    if (ids.length < batch) return `released ${total} orders`
  }
}

const instalmentMethodIds = paymentMethods.filter((it) => it.isInstallment).map((it) => it.id)

async function reportOverdue(work: JobContext, dayOf: (at: Date) => string): Promise<string> {
  let [after, orders] = [0, 0]
  for (;;) {
    const ids = await work.packet((read) =>
      openOrdersAfter(read, { after, methodIds: instalmentMethodIds, limit: batch }),
    )
    if (ids.length === 0) return `reported instalments of ${orders} orders`
    orders += await work.transaction(async (tx) => {
      let count = 0
      for (const id of ids) {
        const order = (await lockOrder(tx, id))!
        const overdue = newlyOverdue(order, dayOf(tx.now))
        if (overdue.length === 0) continue
        const amountTiyin = sumTiyin(overdue.map((it) => it.amountTiyin))
        const numbers = overdue.map((it) => it.number)
        await recordEvents(tx, order, [{ type: 'InstalmentsOverdue', numbers, amountTiyin }])
        count++
      }
      return count
    })
    if (ids.length < batch) return `reported instalments of ${orders} orders`
    after = ids.at(-1)!
  }
}

/** The processor of the job's environment, and the number of requests without a reply. */
function openProcessor(
  work: JobContext,
  settings: AcquirerSettings,
): { processor: PaymentProcessor; failures(): number } {
  let failed = 0
  const processor = new PaymentProcessor(work, acquirersOf(work.environment, work, settings), () => failed++)
  return { processor, failures: () => failed }
}

async function repeatRequests(work: JobContext, settings: AcquirerSettings): Promise<string> {
  const { processor, failures } = openProcessor(work, settings)
  for (let total = 0; ;) {
    const count = await processor.performDue()
    total += count
    if (count < tasksPerBatch) return `sent ${total} requests, ${failures()} without a reply`
  }
}

async function deliverTestCallbacks(work: JobContext, settings: AcquirerSettings): Promise<string> {
  const { processor } = openProcessor(work, settings)
  for (let total = 0; ;) {
    const due = await work.transaction((tx) => takeDueCallbacks(tx, batch))
    const tasks: Task[] = []
    for (const { callbackId, paymentId, status, code } of due) {
      const outcome = status === 'failed' ? { status, code: code ?? 'failed' } : { status }
      const callback = { id: callbackId, paymentId, outcome }
      const step = await work
        .transaction((tx) => handleCallback(tx, testAcquirerName, callback))
        .catch((error: unknown) => {
          if (error instanceof Refusal) return { tasks: [] }
          throw error
        })
      tasks.push(...step.tasks)
    }
    await processor.perform(tasks)
    total += due.length
    if (due.length < batch) return `delivered ${total} callbacks`
  }
}
