// One training at a time, whoever orders it: by hand or every night, on whichever node.

import type { Tx } from '../../base/db.ts'
import * as store from '../store/models.ts'

/** One that began longer ago has died with whoever ordered it. */
const longestTrainingMs = 1_800_000

/** Writes down that a training begins, and gives its id; or the id of the one that runs. */
export async function beginTraining(tx: Tx): Promise<{ id: number } | { runningId: number }> {
  await store.lockTrainings(tx)
  const running = (await store.listTrainings(tx)).find(
    (it) => it.outcome === 'running' && tx.now.getTime() - it.startedAt.getTime() < longestTrainingMs,
  )
  return running ? { runningId: running.id } : { id: await store.insertTraining(tx) }
}
