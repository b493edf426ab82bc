// Learns from the searches of the last days and saves what was learned.

import { isDeepStrictEqual } from 'node:util'
import { dayMs } from '../../base/clock.ts'
import type { Database, Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import type { ProductSearch } from '../product-index/product-index-sync.ts'
import type { Comparison } from './learn.ts'
import { type LearnedParts, learnParts, partNames, type TriedSearch } from './learn-parts.ts'
import * as store from './store.ts'

const lookBackDays = 90
const comparedResults = 50

export const lookBackFrom = (at: Date): Date => new Date(at.getTime() - lookBackDays * dayMs)

/** Learns from the searches until an instant; returns a note about each part. */
export async function learnAndSave(
  db: Database,
  { search, at }: { search: ProductSearch; at: Date },
): Promise<string> {
  const outcomes = await store.loadOutcomes(db.read(), lookBackFrom(at))
  const before = await store.loadLearning(db.read())
  const learned = await learnParts(
    outcomes,
    await triedSearch(search),
    (part) => before.parts[part].isEnabled,
  )
  await db.transaction((tx) => saveLearned(tx, learned, at))
  return learnedNote(learned)
}

export const learnedNote = (learned: LearnedParts): string =>
  partNames.map((part) => `${part}: ${noteOf(learned[part])}`).join('; ')

const noteOf = ({ isWinning, comparison }: { isWinning: boolean; comparison: Comparison }): string =>
  `${isWinning ? 'used' : 'not used'}, ${comparison.plain.toFixed(3)} without, ${comparison.learned.toFixed(3)} with it`

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
    find: async (text, trial) => (await search.find({ ...queryOf(text), trial })).ids,
    candidates: (text, trial) => search.candidates({ ...queryOf(text), trial }),
    synonymsWith: await search.synonymsWith(),
  }
}

export async function saveLearned(tx: Tx, learned: LearnedParts, learnedAt: Date): Promise<void> {
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
  const after = { ...before, parts, learnedAt }
  if (isUnchanged) await store.saveLearning(tx, after)
  else await saveChange(tx, after)
}

/** Saves a new version and publishes it. */
export async function saveChange(tx: Tx, it: store.SearchLearning): Promise<store.SearchLearning> {
  const saved = await store.saveLearning(tx, { ...it, version: it.version + 1 })
  publish(tx, { type: 'SearchLearningChanged', version: saved.version })
  return saved
}
