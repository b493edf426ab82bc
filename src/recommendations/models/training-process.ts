// The child process that trains a model, so that serving is not blocked. It receives one request, reports progress and
// the outcome, and exits.

import { MovableClock, systemClock } from '../../base/clock.ts'
import { Database } from '../../base/database.ts'
import { loadClockOffset } from '../../base/shop.ts'
import { lowerProcessPriority } from '../../base/process-priority.ts'
import { withRetries } from './read-snapshot.ts'
import type { TrainingOrder, TrainingMessage } from './run-training.ts'
import { trainModel } from './train-model.ts'

const send = (message: TrainingMessage) => process.send!(message)

process.once('message', (order: TrainingOrder) => {
  lowerProcessPriority()
  train(order)
    .then((outcome) => send({ outcome }))
    .catch((error: unknown) => send({ failure: String(error) }))
    .finally(() => process.disconnect())
})
// The parent process is gone, so the outcome cannot be reported.
process.once('disconnect', () => process.exit())

async function train({ connection, environment, ...how }: TrainingOrder) {
  const clock = new MovableClock(systemClock())
  const db = new Database({ connection, environment, clock, poolSize: 2 })
  try {
    await withRetries(() => loadClockOffset({ db, clock }))
    return await trainModel(db, {
      ...how,
      began: (trainingId) => send({ trainingId }),
      report: (progress) => void send({ progress }),
    })
  } finally {
    await db.close()
  }
}
