// Builds lists of the latest buyers when a model has been loaded, so that the first calls find compiled code and cached
// offers. Without it, calls queue for the first seconds of a new model.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../base/database.ts'
import { recommend, type RecommendDeps } from './recommend.ts'
import type { RecommendationRequest } from './request.ts'

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
    await recommend(db.read(), homeOf(buyer), { ...deps, serving })
    await sleep(pauseMs, undefined, { ref: false })
  }
}

const homeOf = (buyer: string): RecommendationRequest => ({
  channel: 'warm-up',
  layer: 'main_page',
  identifiers: [buyer],
  offers: [],
  products: [],
  group: 'prod',
  isGroupChosen: true,
  experimentGroup: null,
  region: 'home',
  place: null,
  platform: [],
  isCategoriesPage: false,
  categoryId: null,
  limit: 30,
})
