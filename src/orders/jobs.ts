import type { Config } from '../base/config.ts'
import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job, JobRun } from '../base/jobs.ts'
import { Refusal } from '../base/refusal.ts'
import { cancelOrder } from './cancel-order.ts'
import { hearCallback } from './hear-callback.ts'
import { type AcquirerSettings, acquirersOf } from './payments/acquirers.ts'
import { PaymentDesk, tasksPerLook } from './payments/desk.ts'
import { testAcquirerName } from './payments/test-acquirer.ts'
import { lockOrder, unpaidBefore } from './store/orders.ts'
import { callbacksBefore, tasksBefore, type Task } from './store/payments.ts'
import { takeDueCallbacks } from './store/test-charges.ts'
import { statesOf } from './states.ts'

const batch = 100
const keepDays = 30

type Settings = Pick<Config, 'unpaidOrderMinutes'> & AcquirerSettings

export const jobsOf = ({ unpaidOrderMinutes: minutes, ...settings }: Settings): Job[] => [
  {
    name: 'release-unpaid-orders',
    cron: '0 * * * * ?',
    meaning: `Calls off card orders that nobody has paid within ${minutes} minutes; their units are for sale again.`,
    run: (work) => releaseUnpaid(work, minutes),
  },
  {
    name: 'settle-payments',
    cron: '30 * * * * ?',
    meaning: 'Asks acquirers again what they have not answered.',
    run: (work) => askAgain(work, settings),
  },
  {
    name: 'deliver-test-callbacks',
    cron: '15 * * * * ?',
    meaning: 'Lets the test acquirer tell what became of its charges.',
    run: (work) => deliverTestCallbacks(work, settings),
  },
  {
    name: 'forget-payment-tasks',
    cron: '0 20 3 * * ?',
    meaning: `Forgets what was asked of acquirers, and what they told, after ${keepDays} days.`,
    run: async (work) => {
      const tasks = await deleteInBatches(work, { days: keepDays, sql: tasksBefore })
      const callbacks = await deleteInBatches(work, { days: keepDays, sql: callbacksBefore })
      return `forgot ${tasks} tasks and ${callbacks} callbacks`
    },
  },
]

async function releaseUnpaid(work: JobRun, minutes: number): Promise<string> {
  for (let total = 0; ;) {
    const ids = await work.transaction((tx) =>
      unpaidBefore(tx, new Date(tx.now.getTime() - minutes * 60_000), batch),
    )
    for (const id of ids)
      await work.transaction(async (tx) => {
        const order = (await lockOrder(tx, id))!
        // Somebody may have paid, or called it off, since it was looked for.
        if (statesOf(order).status === 'awaiting_payment') await cancelOrder(tx, order, 'unpaid')
      })
    total += ids.length
    if (ids.length < batch) return `released ${total} orders`
  }
}

/** The desk of the environment that a job runs in, and how many acquirers have kept silent. */
async function openDesk(
  work: JobRun,
  settings: AcquirerSettings,
): Promise<{ desk: PaymentDesk; silent(): number }> {
  const environment = await work.transaction(async (tx) => tx.environment)
  let silences = 0
  const desk = new PaymentDesk(work, acquirersOf(environment, work, settings), () => silences++)
  return { desk, silent: () => silences }
}

async function askAgain(work: JobRun, settings: AcquirerSettings): Promise<string> {
  const { desk, silent } = await openDesk(work, settings)
  for (let total = 0; ;) {
    const count = await desk.performDue()
    total += count
    if (count < tasksPerLook) return `asked ${total} times, ${silent()} without an answer`
  }
}

async function deliverTestCallbacks(work: JobRun, settings: AcquirerSettings): Promise<string> {
  const { desk } = await openDesk(work, settings)
  for (let total = 0; ;) {
    const due = await work.transaction((tx) => takeDueCallbacks(tx, batch))
    const tasks: Task[] = []
    for (const { callbackId, paymentId, status, code } of due) {
      const outcome = status === 'failed' ? { status, code: code ?? 'failed' } : { status }
      const callback = { id: callbackId, paymentId, outcome }
      const step = await work
        .transaction((tx) => hearCallback(tx, testAcquirerName, callback))
        .catch((error: unknown) => {
          if (error instanceof Refusal) return { tasks: [] }
          throw error
        })
      tasks.push(...step.tasks)
    }
    await desk.perform(tasks)
    total += due.length
    if (due.length < batch) return `told ${total} times`
  }
}
