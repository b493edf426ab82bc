// A model: everything that is learnt, as typed arrays. It is never changed, only replaced.

import type { Csr } from '../ml/retrieval/sparse.ts'
import type { Rhythm } from '../ml/retrieval/repeat.ts'
import type { TreeModel } from '../ml/trees/model.ts'
import type { Items } from './items.ts'
import type { Outside } from './outside.ts'

export interface Model {
  /** Deeds after this instant were not learnt from. */
  until: Date
  items: Items
  graphs: Graphs
  /** Sums of worths; a deed counts half after a fortnight. */
  popularity: Float64Array
  /** The same, half after three days. */
  recent: Float64Array
  /** What is sought after at places that are known well enough. */
  trends: Trends
  rhythm: Rhythm
  /** What was brought in from another engine; absent when nothing was. */
  outside: Outside | undefined
  /** Absent when it did not order better than the blend. */
  ranker: TreeModel | undefined
  metrics: Metrics
}

/** Row i holds what item i says of others. */
export interface Graphs {
  /** EASE on the head of the catalog. */
  ease: Csr
  /** RP3β walks, for the tail too. */
  walk: Csr
  /** What is touched after what. */
  rules: Csr
  /** What is bought by the same buyers. */
  baskets: Csr
  /** Likeness of words, brand and price within a category: for what nobody has touched yet. */
  alike: Csr
}

export interface Trends {
  /** As `placeKey` spells them, in the order of their rows. */
  places: readonly string[]
  /** Row i holds the weights of the items that lead at place i. */
  weights: Csr
}

export const graphNames = ['ease', 'walk', 'rules', 'baskets', 'alike'] as const

/** How good lists were on deeds that nothing was learnt from. */
export interface Metrics {
  cases: number
  ranker: Figures | null
  candidates: Figures
  popularity: Figures
}

export interface Figures {
  ndcg10: number
  hit10: number
  recall30: number
}

/** A new model and the one that serves, on the same questions, which neither has learnt from. */
export interface Contest {
  cases: number
  fresh: Figures
  live: Figures
}

export const noMetrics: Metrics = {
  cases: 0,
  ranker: null,
  candidates: { ndcg10: 0, hit10: 0, recall30: 0 },
  popularity: { ndcg10: 0, hit10: 0, recall30: 0 },
}
