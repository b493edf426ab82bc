// The learned ranker: trees that order the products that match a query nearly alike, by what the text says, what the
// product is, and what buyers chose after the same query. Pure.

import { createEvaluator, type Evaluator } from '../../ml/trees/apply-kernel.ts'
import { featureImportance } from '../../ml/trees/importance.ts'
import { parseModel } from '../../ml/trees/parse-model.ts'
import type { TrainData } from '../../ml/trees/train.ts'
import { type SearchOutcome, sortedSums, weightOf } from './learn.ts'

/** Products that match a query nearly alike, the best first. */
export interface Candidates {
  ids: Float64Array
  /** The share of the best score. */
  scores: Float64Array
  popularity: Float64Array
  /** NaN for no price, no rating and no discount. */
  prices: Float64Array
  ratings: Float64Array
  discounts: Float64Array
  inStock: Uint8Array
  /** 0 for none. */
  brandIds: Float64Array
  categoryIds: Float64Array
}

/** What buyers chose after a query: weights by id, the heaviest first. */
export interface QueryStatistics {
  query: string
  weight: number
  products: [number, number][]
  brands: [number, number][]
  categories: [number, number][]
}

export interface RankerStatistics {
  queries: QueryStatistics[]
  /** The weight by product after any query. */
  products: [number, number][]
}

/** In the order of the columns. */
export const rankerFeatures = [
  'text score',
  'place by text score',
  'popularity',
  'weight after this query',
  'share after this query',
  'share of the brand after this query',
  'share of the category after this query',
  'weight after any query',
  'price',
  'price against the others',
  'price against what was chosen',
  'distance from the price of what was chosen',
  'rating',
  'discount',
  'in stock',
  'weight of the query',
] as const

const maxQueries = 3_000
const maxPerQuery = 40
const maxProducts = 50_000
/** Shares of a query with little weight tend to zero. */
const priorWeight = 5

export function statisticsOf(outcomes: readonly SearchOutcome[]): RankerStatistics {
  const queries = [...Map.groupBy(outcomes, (it) => it.query)].map(([query, its]) => ({
    query,
    weight: weightOf(its),
    products: sortedSums(its, (it) => it.productId).slice(0, maxPerQuery),
    brands: sortedSums(its, (it) => it.brandId).slice(0, maxPerQuery),
    categories: sortedSums(its, (it) => it.categoryId).slice(0, maxPerQuery),
  }))
  return {
    queries: queries
      .toSorted((a, b) => b.weight - a.weight || (a.query < b.query ? -1 : 1))
      .slice(0, maxQueries),
    products: sortedSums(outcomes, (it) => it.productId).slice(0, maxProducts),
  }
}

interface KnownQuery {
  weight: number
  products: Map<number, number>
  brands: Map<number, number>
  categories: Map<number, number>
}

const noQuery: KnownQuery = { weight: 0, products: new Map(), brands: new Map(), categories: new Map() }

/** Statistics compiled for lookup. */
export class ChoiceStatistics {
  readonly #queries: Map<string, KnownQuery>
  readonly #products: Map<number, number>

  constructor({ queries, products }: RankerStatistics) {
    this.#queries = new Map(
      queries.map((it) => [
        it.query,
        {
          weight: it.weight,
          products: new Map(it.products),
          brands: new Map(it.brands),
          categories: new Map(it.categories),
        },
      ]),
    )
    this.#products = new Map(products)
  }

  /** A column for each of `rankerFeatures`. */
  features(query: string, of: Candidates): Float32Array[] {
    const known = this.#queries.get(query) ?? noQuery
    const total = known.weight + priorWeight
    const share = (weight: number | undefined) => (weight ?? 0) / total
    const logs = of.prices.map((it) => Math.log(it))
    const priced = logs.filter((it) => !Number.isNaN(it))
    const mean = priced.reduce((sum, it) => sum + it, 0) / Math.max(1, priced.length)
    const column = (value: (at: number) => number) => Float32Array.from(of.ids, (_, at) => value(at))
    const chosen = (at: number) => known.products.get(of.ids[at]!)
    const usual = chosenPrice(logs, chosen)
    return [
      column((at) => of.scores[at]!),
      column((at) => at),
      column((at) => Math.log1p(of.popularity[at]!)),
      column((at) => Math.log1p(chosen(at) ?? 0)),
      column((at) => share(chosen(at))),
      column((at) => share(known.brands.get(of.brandIds[at]!))),
      column((at) => share(known.categories.get(of.categoryIds[at]!))),
      column((at) => Math.log1p(this.#products.get(of.ids[at]!) ?? 0)),
      column((at) => logs[at]!),
      column((at) => logs[at]! - mean),
      column((at) => logs[at]! - usual),
      column((at) => Math.abs(logs[at]! - usual)),
      column((at) => of.ratings[at]!),
      column((at) => of.discounts[at]!),
      column((at) => of.inStock[at]!),
      column(() => Math.log1p(known.weight)),
    ]
  }
}

/** The mean logarithm of the prices that were chosen, by weight; NaN when none of the candidates was. */
function chosenPrice(logs: Float64Array, chosen: (at: number) => number | undefined): number {
  const sums = { weight: 0, price: 0 }
  for (const [at, price] of logs.entries()) {
    const weight = Number.isNaN(price) ? 0 : (chosen(at) ?? 0)
    if (weight === 0) continue
    sums.weight += weight
    sums.price += weight * price
  }
  return sums.price / sums.weight
}

export class SearchRanker {
  readonly #trees: Evaluator
  readonly #statistics: ChoiceStatistics

  /** `model` is the text of a model of trees. */
  constructor(model: string, statistics: RankerStatistics) {
    this.#trees = createEvaluator(parseModel(model))
    this.#statistics = new ChoiceStatistics(statistics)
  }

  /** The places of the candidates in the learned order. */
  order(query: string, candidates: Candidates): Int32Array {
    const rows = candidates.ids.length
    const values = this.#trees.values({
      rows,
      floats: this.#statistics.features(query, candidates),
      categories: [],
    })
    return Int32Array.from(candidates.ids, (_, at) => at).sort((a, b) => values[b]! - values[a]! || a - b)
  }
}

/** How much each feature changes the order, the strongest first. The shares sum to 1. */
export function featureShares(model: string): { name: string; share: number }[] {
  const shares = featureImportance(parseModel(model))
  return rankerFeatures
    .map((name, at) => ({ name, share: Math.round(10 * shares[at]!) / 1_000 }))
    .toSorted((a, b) => b.share - a.share)
}

/** The candidates of a query, and what buyers chose of them later. */
export interface RankingExample {
  features: Float32Array[]
  labels: Float64Array
}

/** What buyers chose of the candidates; undefined if it is none of them. */
export function exampleOf(
  outcomes: readonly SearchOutcome[],
  candidates: Candidates,
  features: Float32Array[],
): RankingExample | undefined {
  const chosen = new Map(sortedSums(outcomes, (it) => it.productId))
  const labels = Float64Array.from(candidates.ids, (id) => Math.log1p(chosen.get(id) ?? 0))
  return labels.some((it) => it > 0) ? { features, labels } : undefined
}

export function trainDataOf(examples: readonly RankingExample[]): TrainData {
  const rows = examples.reduce((sum, it) => sum + it.labels.length, 0)
  const floats = rankerFeatures.map(() => new Float32Array(rows))
  const labels = new Float64Array(rows)
  const queries = new Int32Array(examples.length + 1).fill(rows)
  let from = 0
  for (const [at, example] of examples.entries()) {
    queries[at] = from
    for (const [feature, values] of example.features.entries()) floats[feature]!.set(values, from)
    labels.set(example.labels, from)
    from += example.labels.length
  }
  return {
    columns: { rows, floats, categories: [] },
    labels,
    queries,
    floatNames: [...rankerFeatures],
  }
}
