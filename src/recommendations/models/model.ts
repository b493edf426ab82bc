// A model: everything that training produces, as typed arrays. It is immutable.

import type { Csr } from '../../ml/retrieval/sparse.ts'
import type { Rhythm } from '../../ml/retrieval/repeat.ts'
import type { TreeModel } from '../../ml/trees/model.ts'
import type { BlendWeights, ModelQuery } from '../serving/model-query.ts'
import type { Companions } from './companions.ts'
import type { Items } from './items.ts'
import type { ExternalModel } from './external-model.ts'
import type { LearnedSources } from './sources.ts'

export interface Model {
  /** Interactions after this instant are not in the training data. */
  until: Date
  items: Items
  learned: LearnedSources
  /** Similarity of words, brand and price within a category; covers items without interactions. */
  alike: Csr
  /** By item, the number of its group of twins: the same product in several colours. */
  twins: Int32Array
  /** By item, the sizes in its name that buyers do not compare freely, and whether they are known to keep to them. */
  sizes: Csr
  /** By item, the number of its variety within the category, such as winter tyres. */
  varieties: Int32Array
  /** By item, the product models, such as "galaxy s25", that its name shares with products of other categories. */
  mentions: Csr
  /** Categories that go with others. */
  companions: Companions
  /** The largest difference of log prices between a product and an alternative to it. */
  priceBand: number
  /** Weighted interaction counts with a half-life of two weeks. */
  popularity: Float64Array
  /** The same with a half-life of three days. */
  recent: Float64Array
  /** The popularity that the time of year lets expect (`seasonal-demand.ts`); undefined without data of a year ago. */
  expected: Float64Array | undefined
  /** Expected popularity by place, for places with enough buyers. */
  trends: Trends
  rhythm: Rhythm
  /** Whether lists may hold what the buyer has seen before: not where no buyer ever returns to it. */
  repeats: 'allowed' | 'excluded'
  /** By page, the weights of the candidate sources. */
  weights: BlendWeights
  /** By page, the share of the places that the rules of the page decide; the ranker decides the others. */
  ruleShares: RuleShares
  /** A model imported from another engine, if any. */
  external: ExternalModel | undefined
  /** Absent when it did not rank better than the blend. */
  ranker: TreeModel | undefined
  metrics: Metrics
}

export type RuleShares = Readonly<Record<ModelQuery['layer'], number>>

export const fullRuleShares: RuleShares = { main_page: 1, offer_page: 1, cart_page: 1 }

export interface Trends {
  /** Keys made by `placeKey`, in row order. */
  places: readonly string[]
  /** Row i holds the weights of the most popular items at place i. */
  weights: Csr
}

/** Figures on held-out interactions. */
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

/** A new model and the serving one on the same cases, which are in the training data of neither. */
export interface Comparison {
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
