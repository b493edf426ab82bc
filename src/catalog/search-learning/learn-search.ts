// The nightly job that learns from searches, and the switch for operators.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { dayMs } from '../../base/clock.ts'
import type { Environment, Tx } from '../../base/database.ts'
import type { Job } from '../../base/jobs.ts'
import { publish } from '../../base/outbox.ts'
import { requireVersion } from '../../http/version.ts'
import type { ProductSearch } from '../product-index/product-index-sync.ts'
import { compare, isWin, predictCategories, type Ranker, splitByDays } from './learn.ts'
import * as store from './store.ts'

const lookBackDays = 90
const comparedResults = 50

export const learnSearch = (searches: Record<Environment, ProductSearch>): Job => ({
  name: 'learn-search',
  cron: '0 50 4 * * ?',
  description:
    'Learns from searches which category buyers mean by a query; it is used only if it wins on the last days.',
  run: async (job) => {
    const { environment, outcomes } = await job.transaction(async (tx) => ({
      environment: tx.environment,
      outcomes: await store.loadOutcomes(tx, new Date(tx.now.getTime() - lookBackDays * dayMs)),
    }))
    const { earlier, heldOut } = splitByDays(outcomes)
    const rank = rankerOf(searches[environment])
    const comparison = await compare(predictCategories(earlier), heldOut, rank)
    const isWinning = isWin(comparison)
    // The held-out days decided; what is used is learned from all days.
    const predictions = isWinning ? predictCategories(outcomes) : []
    await job.transaction(async (tx) => {
      const before = await store.lockLearning(tx)
      const isUnchanged = before.isWinning === isWinning && isDeepStrictEqual(before.predictions, predictions)
      if (isUnchanged) await store.saveComparison(tx, { comparison, learnedAt: tx.now })
      else await save(tx, { ...before, isWinning, predictions, comparison, learnedAt: tx.now })
    })
    const figures = `${comparison.plain.toFixed(3)} without, ${comparison.learned.toFixed(3)} with it`
    return `${isWinning ? `${predictions.length} queries are used` : 'it does not win and is not used'}: ${figures}`
  },
})

const rankerOf =
  (search: ProductSearch): Ranker =>
  async (text, categoryId) => {
    await nextTurn()
    const found = await search.find({
      text,
      predictedCategoryId: categoryId,
      region: 'home',
      language: 'ru',
      filters: {},
      sort: 'relevance',
      limit: comparedResults,
      wantsFacets: false,
    })
    return found.ids
  }

/** Operators switch it on and off; off, every search is as if nothing had been learned. */
export async function switchLearning(
  tx: Tx,
  { isEnabled, ifMatch }: { isEnabled: boolean; ifMatch: number | undefined },
): Promise<store.SearchLearning> {
  const before = await store.lockLearning(tx)
  requireVersion(before, ifMatch)
  return before.isEnabled === isEnabled ? before : save(tx, { ...before, isEnabled })
}

async function save(tx: Tx, it: Parameters<typeof store.saveLearning>[1]): Promise<store.SearchLearning> {
  const saved = await store.saveLearning(tx, it)
  publish(tx, { type: 'SearchLearningChanged', version: saved.version })
  return saved
}
