// The nightly job that learns from searches, and the switches for operators.

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { dayMs, elapsedMs } from '../../base/clock.ts'
import type { Environment, Tx } from '../../base/database.ts'
import type { Job } from '../../base/jobs.ts'
import { publish } from '../../base/outbox.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import type { ProductSearch } from '../product-index/product-index-sync.ts'
import type { Comparison } from './learn.ts'
import {
  type LearnedParts,
  learnParts,
  nothingLearned,
  type PartName,
  partNames,
  type TriedSearch,
} from './learn-parts.ts'
import * as store from './store.ts'

const lookBackDays = 90
const comparedResults = 50

export const searchLearningJob = 'learn-search'

export const learnSearch = (searches: Record<Environment, ProductSearch>): Job => ({
  name: searchLearningJob,
  cron: '0 50 4 * * ?',
  description:
    'Learns from searches which category and which words buyers mean by a query, and how to rank its products; each is used only if it wins on the last days.',
  run: async (job) => {
    const { environment, outcomes, before } = await job.transaction(async (tx) => ({
      environment: tx.environment,
      outcomes: await store.loadOutcomes(tx, new Date(tx.now.getTime() - lookBackDays * dayMs)),
      before: await store.loadLearning(tx),
    }))
    const learned =
      outcomes.length === 0
        ? nothingLearned()
        : await learnParts(
            outcomes,
            await triedSearch(searches[environment]),
            (part) => before.parts[part].isEnabled,
          )
    await job.transaction((tx) => saveLearned(tx, learned))
    return partNames.map((part) => `${part}: ${noteOf(learned[part])}`).join('; ')
  },
})

const noteOf = ({ isWinning, comparison }: { isWinning: boolean; comparison: Comparison }): string =>
  `${isWinning ? 'used' : 'not used'}, ${comparison.plain.toFixed(3)} without, ${comparison.learned.toFixed(3)} with it`

/**
 * Runs a step of the job, then rests as long as it took. One turn of the event loop between two steps is not enough: a
 * request has several turns, and would wait for a step in each of them.
 */
async function runPaced<T>(step: () => Promise<T>): Promise<T> {
  const startMs = elapsedMs()
  const result = await step()
  await sleep(elapsedMs() - startMs)
  return result
}

async function triedSearch(search: ProductSearch): Promise<TriedSearch> {
  const queryOf = (text: string) =>
    ({
      text,
      region: 'home',
      language: 'ru',
      filters: {},
      sort: 'relevance',
      limit: comparedResults,
      wantsFacets: false,
    }) as const
  return {
    find: async (text, trial) => (await runPaced(() => search.find({ ...queryOf(text), trial }))).ids,
    candidates: (text, trial) => runPaced(() => search.candidates({ ...queryOf(text), trial })),
    synonymsWith: await search.synonymsWith(),
  }
}

async function saveLearned(tx: Tx, learned: LearnedParts): Promise<void> {
  const before = await store.lockLearning(tx)
  const { predictions, synonyms, ranker } = before.parts
  const parts: store.StoredParts = {
    predictions: { ...predictions, ...learned.predictions },
    synonyms: { ...synonyms, ...learned.synonyms },
    ranker: { ...ranker, ...learned.ranker },
  }
  const isUnchanged = partNames.every(
    (part) =>
      parts[part].isWinning === before.parts[part].isWinning &&
      isDeepStrictEqual(parts[part].learned, before.parts[part].learned),
  )
  const after = { ...before, parts, learnedAt: tx.now }
  if (isUnchanged) await store.saveLearning(tx, after)
  else await saveChange(tx, after)
}

interface LearningSwitches {
  /** Everything. */
  isEnabled: boolean | undefined
  parts?: Partial<Record<PartName, boolean | undefined>>
  ifMatch: IfMatch | undefined
}

/** Operators switch everything or a part on and off; off, every search is as if it had not been learned. */
export async function switchLearning(
  tx: Tx,
  { isEnabled, parts = {}, ifMatch }: LearningSwitches,
): Promise<store.SearchLearning> {
  const before = await store.lockLearning(tx)
  requireVersion(before, ifMatch)
  const after = structuredClone(before)
  after.isEnabled = isEnabled ?? before.isEnabled
  for (const part of partNames) after.parts[part].isEnabled = parts[part] ?? before.parts[part].isEnabled
  return isDeepStrictEqual(before, after) ? before : saveChange(tx, after)
}

async function saveChange(tx: Tx, it: store.SearchLearning): Promise<store.SearchLearning> {
  const saved = await store.saveLearning(tx, { ...it, version: it.version + 1 })
  publish(tx, { type: 'SearchLearningChanged', version: saved.version })
  return saved
}
