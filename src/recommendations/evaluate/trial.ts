// What a task asks, whatever its files look like: what to fit on, what to ask, and how answers are counted.

import { hitAt, ndcgAt, recallAt, reciprocalRankAt } from '../ml/metrics.ts'

export interface Case {
  label: string
  history: Int32Array
  /** What a good list holds; items that training never met lie past the catalog and are never found. */
  relevant: Int32Array
}

export interface Trial {
  items: number
  names: string[]
  /** The slice of train that hyper-parameters are chosen on. */
  slice: Slice
  fit: Int32Array[]
  cases: () => Iterable<Case>
  /** May a list repeat what the history holds? */
  repeats: 'allowed' | 'excluded'
  /** Does time order the fitted sequences and their items? Then rules and session neighbours make sense. */
  order: 'time' | 'none'
  measures: Measure[]
  /** Groups of alike items, when attributes were given. */
  alike?: Int32Array[]
}

/** How many cases the test asks. */
export function caseCount(trial: Trial): number {
  let count = 0
  for (const _ of trial.cases()) count++
  return count
}

export interface Slice {
  fit: Int32Array[]
  /** A sample to choose on. */
  cases: Case[]
  /** All of them in a seeded order, to learn from. */
  all: Case[]
}

export interface Measure {
  name: string
  of: (list: ArrayLike<number>, relevant: ReadonlySet<number>) => number
  /** The same from the position of a single relevant item, where ties count half. */
  at?: (position: number) => number
}

export const recall = (k: number): Measure => ({
  name: `recall@${k}`,
  of: (list, all) => recallAt(list, all, k),
})

export const ndcg = (k: number): Measure => ({ name: `ndcg@${k}`, of: (list, all) => ndcgAt(list, all, k) })

export const hitRate = (k: number): Measure => ({
  name: `hr@${k}`,
  of: (list, all) => hitAt(list, all, k),
  at: (position) => (position <= k ? 1 : 0),
})

export const mrr = (k: number): Measure => ({
  name: `mrr@${k}`,
  of: (list, all) => reciprocalRankAt(list, all, k),
  at: (position) => (position <= k ? 1 / position : 0),
})

/** How long lists are, in files and for measures. */
export const LIST_LENGTH = 20

/** How many cases of the slice are asked when choosing; more would cost time and change no choice. */
export const SLICE_CASES = 5000
