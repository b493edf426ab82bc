// Builds lists of the latest buyers when a model has been loaded, so that the first calls find compiled code and cached
// offers. Without it, calls queue for the first seconds of a new model.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../base/database.ts'
import { recommend, type RecommendDeps } from './recommend.ts'
import { requestWith } from './request.ts'

const mostLists = 150
/** Calls are answered between two lists. */
const pauseMs = 10

/** Ends when another model is loaded, which is warmed up in turn. */
export async function warmUp(
  db: Database,
  buyers: readonly string[],
  deps: Omit<RecommendDeps, 'serving'> & { serving: () => RecommendDeps['serving'] },
): Promise<void> {
  const serving = deps.serving()
  for (const buyer of serving ? buyers.slice(0, mostLists) : []) {
    if (deps.serving() !== serving) return
    await recommend(db.read(), requestWith({ channel: 'warm-up', identifiers: [buyer] }), {
      ...deps,
      serving,
    })
    await sleep(pauseMs, undefined, { ref: false })
  }
}
