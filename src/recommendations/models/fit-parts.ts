// Fits everything but the ranker on a snapshot of interactions.

import { dayMs } from '../../base/clock.ts'
import type { Limits } from '../../cart/index.ts'
import type { CreditHistory } from '../../orders/index.ts'
import { contentDims, contentVectors } from '../../ml/retrieval/content.ts'
import { type Purchase, rhythmOf } from '../../ml/retrieval/repeat.ts'
import { type Csr, RowWriter } from '../../ml/retrieval/sparse.ts'
import { bestIds } from '../../ml/top-k.ts'
import { interactionKinds, interactionWeight } from '../interactions/interaction.ts'
import { companionsOf } from './companions.ts'
import { type Items, itemsOf, type TrainingProduct } from './items.ts'
import { type Buyers, codeOf, type Histories } from './histories.ts'
import { defaultWeights } from '../serving/candidates.ts'
import { fullRuleShares, type Model, noMetrics } from './model.ts'
import { mentionsOf } from './mentions.ts'
import { priceBandOf } from './price-band.ts'
import { sizesOf, sizesThatMustFit } from './sizes.ts'
import { trendsOf } from './place-trends.ts'
import { type DailyDemand, seasonalFactors } from './seasonal-demand.ts'
import { fitSources, type FittedSources, type Recipes, type TimedFit, trainingRowsOf } from './sources.ts'
import type { Measurement } from './training-progress.ts'
import { twinGroups } from './twins.ts'
import { varietiesOf } from './varieties.ts'

/** Training data: products in the order of their ids, and each buyer's interactions, oldest first. */
export interface Snapshot<Given extends Buyers = Buyers> {
  until: Date
  products: readonly TrainingProduct[]
  buyers: Given
  /** By buyer, the last reported place. */
  places: readonly (string | null)[]
  /** By buyer, the keys of the last reported device and application. */
  platforms?: readonly (readonly string[])[]
  /** Demand around the same dates a year ago; absent in a shop without interactions then. */
  lastYear?: DailyDemand
  /** What buyers owed at past instants; absent in a shop without credit. */
  credit?: TrainingCredit
}

export interface TrainingCredit {
  /** The present ones, because past ones are not stored. */
  limits: Pick<Limits, 'creditTiyin'>
  /** By buyer, for those who have bought on credit. */
  histories: ReadonlyMap<number, CreditHistory>
}

/** The same in columns. */
export type TrainingData = Snapshot<Histories>

export interface FitOptions {
  seed: number
  threads: number
  /** Time to search for better families and parameters; without it the sources keep those of the active model. */
  searchSeconds?: number
  /** Time for the whole training. When it is short, stages use fewer cases, trials and trees. */
  budgetSeconds?: number
  /** Seconds on the clock of the budget; of the wall by default. */
  elapsed?: () => number
  /** `long` uses a higher learning rate: faster and slightly worse, for a first model that a user waits for. */
  strides?: 'usual' | 'long'
  /** Reports progress. It is awaited, because its I/O could not proceed while the next step computes. */
  report: (line: string) => void | Promise<void>
  /** Receives what is measured on the way; awaited for the same reason. */
  onProgress?: (measurement: Measurement) => void | Promise<void>
}

export interface PartOptions extends Pick<FitOptions, 'seed' | 'threads'> {
  alike: Csr
  twins: Int32Array
  sizes: Csr
  varieties: Int32Array
  mentions: Csr
  recipes: Recipes
  timed?: TimedFit | undefined
  fitted?: FittedSources
}

/** What fits need of products alone; several fits of one snapshot share it. */
export type ProductParts = Pick<PartOptions, 'alike' | 'twins' | 'sizes' | 'varieties' | 'mentions'>

export const productPartsOf = (products: readonly TrainingProduct[]): ProductParts => ({
  alike: similarityGraph(products),
  twins: twinGroups(products),
  sizes: sizesOf(products),
  varieties: varietiesOf(products),
  mentions: mentionsOf(products),
})

/** The interactions before a day. */
export const beforeDay = (data: TrainingData, day: number): TrainingData => ({
  ...data,
  until: new Date(day * dayMs),
  buyers: data.buyers.before(day),
})

export const longHalfLifeDays = 14
const shortHalfLifeDays = 3

export async function fitParts(
  { until, products, buyers, places, platforms = [], lastYear }: TrainingData,
  { recipes, seed, threads, timed, fitted = {}, ...ofProducts }: PartOptions,
): Promise<Model> {
  const items = itemsOf(products)
  const today = until.getTime() / dayMs
  const rhythm = rhythmOf(purchasesOf(buyers), items.count, items.categories)
  const popularityNow = popularityOf(buyers, items, { today, halfLife: longHalfLifeDays })
  const factors = lastYear && seasonalFactors(lastYear, items, today)
  const expectedOf = (weights: Float64Array) =>
    factors ? weights.map((weight, item) => weight * factors[item]!) : weights
  return {
    until,
    items,
    learned: await fitSources(trainingRowsOf(buyers, products, { seed, threads }), recipes, {
      timed,
      fitted,
    }),
    ...ofProducts,
    sizes: sizesThatMustFit(ofProducts.sizes, buyers, items),
    companions: companionsOf(buyers, items, { popularity: popularityNow, rhythm }),
    priceBand: priceBandOf(buyers, items),
    popularity: popularityNow,
    recent: popularityOf(buyers, items, { today, halfLife: shortHalfLifeDays }),
    expected: factors && expectedOf(popularityNow),
    trends: trendsOf(
      expectedOf(popularityNow),
      buyersBySegment(buyers.length, (at) => [places[at] ?? '', ...(platforms[at] ?? [])]),
      (at) => expectedOf(popularityOf(buyers, items, { today, halfLife: longHalfLifeDays, among: at })),
    ),
    rhythm,
    repeats: 'allowed',
    weights: defaultWeights,
    ruleShares: fullRuleShares,
    external: undefined,
    ranker: undefined,
    metrics: noMetrics,
  }
}

/** Buyers by place, device and application. */
function buyersBySegment(
  buyers: number,
  segmentsOf: (buyer: number) => readonly string[],
): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (let buyer = 0; buyer < buyers; buyer++)
    for (const segment of segmentsOf(buyer)) {
      const members = found.get(segment)
      if (members) members.push(buyer)
      else if (segment !== '') found.set(segment, [buyer])
    }
  return found
}

function* purchasesOf({ columns }: Histories): Generator<Purchase[], undefined> {
  const { starts, ends, items, kinds, days } = columns
  for (let buyer = 0; buyer < starts.length; buyer++) {
    const own: Purchase[] = []
    for (let at = starts[buyer]!; at < ends[buyer]!; at++)
      if (kinds[at] === codeOf.purchase) own.push({ item: items[at]!, time: days[at]! })
    if (own.length > 0) yield own
  }
  return undefined
}

/** The weighted interactions of all buyers, or of those given by number. A touch counts half after one half-life. */
export function popularityOf(
  { columns }: Histories,
  items: Items,
  { today, halfLife, among }: { today: number; halfLife: number; among?: readonly number[] },
): Float64Array {
  const { starts, ends, kinds, days } = columns
  const byCode = interactionKinds.map(() => new Float64Array(items.count))
  const count = among?.length ?? starts.length
  for (let place = 0; place < count; place++) {
    const buyer = among?.[place] ?? place
    for (let at = starts[buyer]!; at < ends[buyer]!; at++)
      byCode[kinds[at]!]![columns.items[at]!]! += 2 ** (-Math.max(0, today - days[at]!) / halfLife)
  }
  const sums = new Float64Array(items.count)
  for (const kind of interactionKinds)
    byCode[codeOf[kind]]!.forEach((sum, item) => (sums[item]! += interactionWeight[kind] * sum))
  return sums
}

const alikeKept = 30
/** In larger categories a product is compared only with products of nearby ids. */
const mostCompared = 1_500
const forSameBrand = 0.3
const againstPriceGap = 0.15

/** The most similar products of the same category by words, brand and price. */
export function similarityGraph(products: readonly TrainingProduct[]): Csr {
  const items = itemsOf(products)
  const vectors = contentVectors(products.map((it) => it.words))
  const places = Map.groupBy(items.categories.keys(), (place) => items.categories[place]!)
  const writer = new RowWriter()
  const scores = new Float64Array(items.count)
  for (let item = 0; item < items.count; item++) {
    const all = places.get(items.categories[item]!)!
    const at = all.indexOf(item)
    const near =
      all.length <= mostCompared ? all : all.slice(Math.max(0, at - mostCompared / 2), at + mostCompared / 2)
    for (const other of near)
      scores[other] = other === item ? Number.NaN : likeness(items, vectors, item, other)
    const best = bestIds(scores, alikeKept, { candidates: near })
    writer.add(
      best,
      Array.from(best, (other) => scores[other]!),
    )
  }
  return writer.matrix(items.count)
}

function likeness(items: Items, vectors: Float32Array, a: number, b: number): number {
  let words = 0
  for (let at = 0; at < contentDims; at++)
    words += vectors[a * contentDims + at]! * vectors[b * contentDims + at]!
  const brand = items.brands[a] !== 0 && items.brands[a] === items.brands[b] ? forSameBrand : 0
  return Math.max(0.01, words + brand - againstPriceGap * Math.abs(items.logPrices[a]! - items.logPrices[b]!))
}
