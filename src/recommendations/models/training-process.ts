// The child process that trains a model.

import { MovableClock, systemClock } from '../../base/clock.ts'
import { Database } from '../../base/database.ts'
import { loadClockOffset } from '../../base/shop.ts'
import { answerTask } from '../../base/task-process.ts'
import { withRetries } from './read-snapshot.ts'
import type { TrainingNote, TrainingTask } from './run-training.ts'
import { type Outcome, trainModel } from './train-model.ts'

answerTask<TrainingTask, Outcome, TrainingNote>(async ({ connection, environment, ...how }, sendNote) => {
  const clock = new MovableClock(systemClock())
  const db = new Database({ connection, environment, clock, poolSize: 2 })
  try {
    await withRetries(() => loadClockOffset({ db, clock }))
    return await trainModel(db, { ...how, began: (trainingId) => sendNote({ trainingId }), report: () => {} })
  } finally {
    await db.close()
  }
})
