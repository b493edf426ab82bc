// A list task, independent of its file format: training data, test cases and measures.

import { hitAt, ndcgAt, recallAt, reciprocalRankAt } from '../metrics.ts'

export interface Case {
  label: string
  history: Int32Array
  /** The items of a good list. Items unknown to training have ids past the catalog and are never found. */
  relevant: Int32Array
  /** Cases of one session or basket; each of the others is a group of its own. */
  group?: number
}

export interface ListTask {
  items: number
  names: string[]
  /** The slice of train that hyper-parameters are chosen on. */
  slice: Slice
  fit: Int32Array[]
  cases: () => Iterable<Case>
  /** Whether a list may repeat items of the history. */
  repeats: 'allowed' | 'excluded'
  /** Whether sequences and their items are in time order, as rules and session neighbours need. */
  order: 'time' | 'none'
  /** Whether the rows of `fit` and of the slice stand in time order; where they do not, no model may learn their order. */
  rows: 'oldest_first' | 'unordered'
  measures: Measure[]
  /** Groups of alike items, when attributes were given. */
  alike?: Int32Array[]
}

/** The number of test cases. */
export function caseCount(listTask: ListTask): number {
  let count = 0
  for (const _ of listTask.cases()) count++
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
export const listLength = 20

/** How many cases of the slice are used for choosing; more take time and change no choice. */
export const maxSliceCases = 5000
