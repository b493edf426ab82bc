// The process in which a model is learnt, so that no caller waits for it: told once what to do, it says how far it is,
// how it ended, and ends.

import { MovableClock, systemClock } from '../../base/clock.ts'
import { Database } from '../../base/db.ts'
import { takeUpClock } from '../../base/shop.ts'
import { yieldToOthers } from '../../base/yield-to-others.ts'
import { patiently } from './patiently.ts'
import type { TrainingOrder, TrainingWord } from './run-training.ts'
import { trainModel } from './train-model.ts'

const say = (word: TrainingWord) => process.send!(word)

process.once('message', (order: TrainingOrder) => {
  yieldToOthers()
  train(order)
    .then((outcome) => say({ outcome }))
    .catch((error: unknown) => say({ failure: String(error) }))
    .finally(() => process.disconnect())
})
// Whoever gave the order is gone: nobody will hear the outcome.
process.once('disconnect', () => process.exit())

async function train({ connection, environment, ...how }: TrainingOrder) {
  const clock = new MovableClock(systemClock())
  const db = new Database({ connection, environment, clock, poolSize: 2 })
  try {
    await patiently(() => takeUpClock({ db, clock }))
    return await trainModel(db, {
      ...how,
      began: (trainingId) => say({ trainingId }),
      tell: (progress) => void say({ progress }),
    })
  } finally {
    await db.close()
  }
}
