// Learns the parts one after the other. Each is compared, on the held-out days, with the search that the parts before it
// have left; only a part that wins is used, and then it is learned again from all days.

import type { Synonyms } from '../../search/index.ts'
import { compare, type Comparison, isWin, type Prediction, predictCategories } from './learn.ts'
import { type Ranker, type SearchOutcome, splitByDays } from './learn.ts'
import { type LearnedSynonym, learnSynonyms } from './learn-synonyms.ts'
import { type Candidates, SearchRanker } from './ranker.ts'
import { type LearnedRanker, trainRanker } from './train-ranker.ts'

export const partNames = ['predictions', 'synonyms', 'ranker'] as const
export type PartName = (typeof partNames)[number]

/** What a search uses of what was learned. */
export interface SearchTrial {
  /** By query, the category that buyers mean by it. */
  categories: ReadonlyMap<string, number>
  /** The dictionary, with or without learned lines. */
  synonyms: Synonyms
  ranker: SearchRanker | undefined
}

/** A search in which parts can be tried. */
export interface TriedSearch {
  find(query: string, trial: SearchTrial): Promise<readonly number[]>
  candidates(query: string, trial: SearchTrial): Promise<Candidates>
  /** The dictionary of the shop with learned lines. */
  synonymsWith(learned: readonly LearnedSynonym[]): Synonyms
}

export interface LearnedPart<T> {
  /** Whether it won on the held-out days. */
  isWinning: boolean
  comparison: Comparison
  /** Learned from all days; empty if it did not win. */
  learned: T
}

export interface LearnedParts {
  predictions: LearnedPart<Prediction[]>
  synonyms: LearnedPart<LearnedSynonym[]>
  ranker: LearnedPart<LearnedRanker | null>
}

interface Tried<T> {
  isWinning: boolean
  comparison: Comparison
  /** Learned from the earlier days. */
  learned: T
  /** The search with this part, and with the parts before it that won. */
  trial: SearchTrial
}

export interface TriedParts {
  predictions: Tried<Prediction[]>
  synonyms: Tried<LearnedSynonym[]>
  ranker: Tried<LearnedRanker | undefined>
}

/** A part that is not enabled is compared, and not used by the parts after it. */
export async function tryParts(
  { earlier, heldOut }: { earlier: readonly SearchOutcome[]; heldOut: readonly SearchOutcome[] },
  search: TriedSearch,
  isEnabled: (part: PartName) => boolean = () => true,
): Promise<TriedParts> {
  let used: SearchTrial = { categories: new Map(), synonyms: search.synonymsWith([]), ranker: undefined }
  const finding =
    (trial: SearchTrial): Ranker =>
    (query) =>
      search.find(query, trial)
  const tryPart = async (part: PartName, trial: SearchTrial, queries?: readonly string[]) => {
    const rankers = { plain: finding(used), learned: finding(trial) }
    const comparison = await compare(heldOut, { ...rankers, ...(queries && { queries: new Set(queries) }) })
    const isWinning = isWin(comparison)
    if (isWinning && isEnabled(part)) used = trial
    return { isWinning, comparison, trial }
  }

  const predictions = predictCategories(earlier)
  const categories = new Map(predictions.map((it) => [it.query, it.categoryId]))
  const predicted = await tryPart('predictions', { ...used, categories }, [...categories.keys()])

  const same = await learnSynonyms(earlier, finding(used))
  const withSame = { ...used, synonyms: search.synonymsWith(same) }
  const synonyms = await tryPart(
    'synonyms',
    withSame,
    same.map((it) => it.query),
  )

  const unranked = used
  const trained = await trainRanker(earlier, (query) => search.candidates(query, unranked))
  const ranker = trained && new SearchRanker(trained.model, trained.statistics)
  const ranked = await tryPart('ranker', { ...used, ranker }, ranker ? undefined : [])
  return {
    predictions: { ...predicted, learned: predictions },
    synonyms: { ...synonyms, learned: same },
    ranker: { ...ranked, learned: trained },
  }
}

export function nothingLearned(): LearnedParts {
  const state = { isWinning: false, comparison: { weight: 0, plain: 0, learned: 0 } }
  return {
    predictions: { ...state, learned: [] },
    synonyms: { ...state, learned: [] },
    ranker: { ...state, learned: null },
  }
}

/** The held-out days decide; what is used is learned from all days. */
export async function learnParts(
  outcomes: readonly SearchOutcome[],
  search: TriedSearch,
  isEnabled: (part: PartName) => boolean = () => true,
): Promise<LearnedParts> {
  const { predictions, synonyms, ranker } = await tryParts(splitByDays(outcomes), search, isEnabled)
  const before = (trial: SearchTrial): Ranker => {
    const without = { ...trial, synonyms: search.synonymsWith([]) }
    return (query) => search.find(query, without)
  }
  const unranked = { ...ranker.trial, ranker: undefined }
  const candidatesOf = (query: string) => search.candidates(query, unranked)
  return {
    predictions: {
      ...stateOf(predictions),
      learned: predictions.isWinning ? predictCategories(outcomes) : [],
    },
    synonyms: {
      ...stateOf(synonyms),
      learned: synonyms.isWinning ? await learnSynonyms(outcomes, before(synonyms.trial)) : [],
    },
    ranker: {
      ...stateOf(ranker),
      learned: ranker.isWinning ? ((await trainRanker(outcomes, candidatesOf)) ?? null) : null,
    },
  }
}

const stateOf = ({ isWinning, comparison }: Tried<unknown>) => ({ isWinning, comparison })
