// Chooses the weights of the candidate sources per page on held-out cases. Coordinate search from the defaults and from
// the best single source; the result is kept only where it also wins on cases that the search did not use. In a large shop
// factors lose their weight on a page whose lists can do without them.

import {
  defaultWeights,
  excludedItems,
  manyProducts,
  proposerOf,
  type SourceName,
  sourceNames,
} from '../serving/candidates.ts'
import type { BlendWeights } from '../serving/model-query.ts'
import type { Case } from './cases.ts'
import type { Model } from './model.ts'
import { isOver, noLimit, type Pace, partOf, workedThrough } from './training-budget.ts'

/** One case's candidates: scores by source, and the rows of relevant items. Negative rows are relevant items that no source proposed. */
export interface WeightedCase {
  scores: readonly Float32Array[]
  relevant: ReadonlySet<number>
}

const grid = [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.6, 2.2, 3]
/** Along the grid; the wide ones cross a plateau. */
const steps = [1, -1, 3, -3, 6, -6]
/** By page, without a search and with time for one. More cases and longer lists leave less to chance. */
const efforts = {
  quick: { maxCases: 800, candidatesPerCase: 150, starts: 1, listLength: 10 },
  searched: { maxCases: 12_000, candidatesPerCase: 300, starts: 2, listLength: 20 },
}
type Effort = keyof typeof efforts
/** The time of the search on all cases, as a part of the time of a start. */
const settlingPart = 0.5
const fewestCases = 100
/** Smaller relative gains are noise: of one move on the cases of the search, and of the result on the other cases. */
const leastMoveGain = 1.0005
const leastGain = 1.002
const factorsColumn = sourceNames.indexOf('factors_history')

interface WeightOptions {
  effort?: Effort
  leftOut?: readonly SourceName[]
  pace?: Pace
}

/** The share of its time in which a page builds its cases; weights that are moved to the end gain more than more cases. */
const buildingShare = 0.3

/** The default weights where there are too few cases, or where the search does not win; 0 for the sources left out. */
export function chooseWeights(
  model: Model,
  cases: readonly Case[],
  { effort = 'quick', leftOut = [], pace = noLimit }: WeightOptions = {},
): BlendWeights {
  const propose = proposerOf(model, 'all')
  const factors = effort === 'searched' && model.items.count > manyProducts ? factorsColumn : undefined
  const { maxCases, candidatesPerCase, ...search } = efforts[effort]
  const weighted = ({ query, grades }: Case): WeightedCase => {
    const excluded = excludedItems(model, query)
    const { items, scores } = propose(query, { limit: candidatesPerCase, out: excluded })
    const rows = new Map(Array.from(items, (item, row) => [item, row]))
    return {
      scores,
      relevant: new Set(Array.from(grades.keys(), (item) => rows.get(item) ?? -1 - item)),
    }
  }
  let left = cases.length
  const weightsOf = (layer: keyof BlendWeights): readonly number[] => {
    const ofLayer = cases.filter((it) => it.query.layer === layer)
    const own = partOf(pace, left === 0 ? 0 : ofLayer.length / left)
    left -= ofLayer.length
    const latest = ofLayer.slice(-maxCases)
    const building = { pace: partOf(own, buildingShare), fewest: fewestCases }
    const examples = workedThrough(latest, weighted, building)
    const isLeftOut = (source: number) => leftOut.includes(sourceNames[source]!)
    const start = defaultWeights[layer].map((weight, source) => (isLeftOut(source) ? 0 : weight))
    for (const { scores } of leftOut.length > 0 ? examples : [])
      scores.forEach((column, source) => isLeftOut(source) && column.fill(0))
    const found = searchWeights(examples, start, { ...search, pace: own })
    const needed =
      factors === undefined ? found : withoutUnneeded(examples, found, factors, search.listLength)
    return needed.map((weight, source) => (isLeftOut(source) ? 0 : weight))
  }
  return {
    main_page: weightsOf('main_page'),
    offer_page: weightsOf('offer_page'),
    cart_page: weightsOf('cart_page'),
  }
}

/** The pages with enough cases for a search of their weights. */
export function decidedPages(cases: readonly Case[]): (keyof BlendWeights)[] {
  const byPage = Map.groupBy(cases, (it) => it.query.layer)
  return [...byPage].filter(([, own]) => own.length >= fewestCases).map(([layer]) => layer)
}

/**
 * Every second case is used for the search, the others decide whether its result is kept. Then it goes on with all cases, which
 * leave less to chance.
 */
export function searchWeights(
  cases: readonly WeightedCase[],
  start: readonly number[],
  { starts = 1, listLength = 10, pace = noLimit }: { starts?: number; listLength?: number; pace?: Pace } = {},
): readonly number[] {
  if (cases.length < fewestCases) return start
  const judged = cases.map(judgedCase)
  const used = judged.filter((_, at) => at % 2 === 0)
  const heldOut = judged.filter((_, at) => at % 2 === 1)
  const [best] = [start, ...(starts > 1 ? [strongestAlone(used, start, listLength)] : [])]
    .map((from, at) =>
      climbed(used, from, { listLength, pace: partOf(pace, 1 / (starts - at + settlingPart)) }),
    )
    .toSorted((a, b) => b.score - a.score)
  const { weights } = best!
  const before = scoreOf(heldOut, blendsOf(heldOut, start), { listLength })
  if (scoreOf(heldOut, blendsOf(heldOut, weights), { listLength }) <= before * leastGain) return start
  return climbed(judged, weights, { listLength, pace }).weights
}

/** Weights without a source that gains no more than noise. */
export function withoutUnneeded(
  cases: readonly WeightedCase[],
  weights: readonly number[],
  source: number,
  listLength = 10,
): readonly number[] {
  if (cases.length < fewestCases || weights[source] === 0) return weights
  const without = weights.with(source, 0)
  const judged = cases.map(judgedCase)
  const scored = (it: readonly number[]) => scoreOf(judged, blendsOf(judged, it), { listLength })
  return scored(without) * leastGain >= scored(weights) ? without : weights
}

/** The source that does best without the others. */
function strongestAlone(
  cases: readonly JudgedCase[],
  start: readonly number[],
  listLength: number,
): readonly number[] {
  const none = start.map(() => 0)
  const blends = blendsOf(cases, none)
  const scores = start.map((_, source) => scoreOf(cases, blends, { listLength, move: { source, by: 1 } }))
  return none.with(scores.indexOf(Math.max(...scores)), 1)
}

/** Takes the best change of one weight while the cases gain and time is left. */
function climbed(
  used: readonly JudgedCase[],
  start: readonly number[],
  { listLength, pace }: { listLength: number; pace: Pace },
): Climbed {
  let weights = start
  const blends = blendsOf(used, weights)
  const sources = start.keys().filter((source) => used.some(({ scores }) => scores[source]!.some(isScore)))
  const scoring = sources.toArray()
  let best = scoreOf(used, blends, { listLength })
  while (!isOver(pace)) {
    let change: (Move & { value: number; score: number }) | undefined
    for (const source of scoring) {
      for (const value of valuesAround(weights[source]!)) {
        if (isOver(pace)) break
        const by = value - weights[source]!
        const score = scoreOf(used, blends, { listLength, move: { source, by } })
        if (score > (change?.score ?? best * leastMoveGain)) change = { source, by, value, score }
      }
    }
    if (!change) break
    const { source, by, value, score } = change
    best = score
    blends.forEach((blend, at) => addColumn(blend, used[at]!.scores[source]!, by))
    weights = weights.with(source, value)
  }
  return { weights, score: best }
}

interface Climbed {
  weights: readonly number[]
  score: number
}

/** Where a weight may move to: some steps along the grid, or to nothing. */
const valuesAround = (weight: number): number[] =>
  grid.filter((value, at) => value !== weight && (value === 0 || steps.includes(at - grid.indexOf(weight))))

const isScore = (score: number): boolean => score !== 0

function blendsOf(cases: readonly JudgedCase[], weights: readonly number[]): Float64Array[] {
  return cases.map(({ scores }) => {
    const blend = new Float64Array(scores[0]!.length)
    scores.forEach((column, source) => addColumn(blend, column, weights[source]!))
    return blend
  })
}

/** What is needed to score blends of a case over and over. */
interface JudgedCase extends Pick<WeightedCase, 'scores'> {
  /** The rows of the relevant items that a source proposed. */
  rows: readonly number[]
  /** Of all relevant items. */
  relevant: number
}

const judgedCase = ({ scores, relevant }: WeightedCase): JudgedCase => ({
  scores,
  rows: [...relevant].filter((row) => row >= 0),
  relevant: relevant.size,
})

/** A change of one weight. */
interface Move {
  source: number
  by: number
}

function addColumn(blend: Float64Array, column: Float32Array, weight: number): void {
  if (weight !== 0) for (let row = 0; row < blend.length; row++) blend[row]! += weight * column[row]!
}

/**
 * Both the first places and the whole list count: the geometric mean of NDCG and recall, as in the search for recipes. With a
 * move, that of the blends after it. No list is made: the place of an item is the number of better ones, and most items that
 * are not in the list have enough better ones among the first rows.
 */
function scoreOf(
  cases: readonly JudgedCase[],
  blends: readonly Float64Array[],
  { listLength, move }: { listLength: number; move?: Move },
): number {
  let [ndcg, recall] = [0, 0]
  const gains = Float64Array.from({ length: listLength }, (_, at) => 1 / Math.log2(at + 2))
  const most = idealGains(gains)
  for (const [at, { scores, rows, relevant }] of cases.entries()) {
    let [gain, hits] = [0, 0]
    for (const row of rows) {
      const place = move
        ? placeAfter(blends[at]!, scores[move.source]!, { by: move.by, row, listLength })
        : placeOf(blends[at]!, row, listLength)
      if (place === listLength) continue
      gain += gains[place]!
      hits++
    }
    if (hits === 0) continue
    ndcg += gain / most[Math.min(listLength, relevant)]!
    recall += hits / relevant
  }
  return Math.sqrt(ndcg * recall) / Math.max(1, cases.length)
}

/** By the number of relevant items, the gain of a list that has them first. */
function idealGains(gains: Float64Array): Float64Array {
  const sums = new Float64Array(gains.length + 1)
  gains.forEach((gain, at) => (sums[at + 1] = sums[at]! + gain))
  return sums
}

/** How many rows are better, at most the length of the list; of equal rows the first one is better. */
function placeOf(blend: Float64Array, row: number, listLength: number): number {
  const own = blend[row]!
  let place = 0
  for (let other = 0; other < blend.length && place < listLength; other++) {
    const score = blend[other]!
    if (score > own || (score === own && other < row)) place++
  }
  return place
}

/** The same after a change of the weight of a source. */
function placeAfter(
  blend: Float64Array,
  column: Float32Array,
  { by, row, listLength }: { by: number; row: number; listLength: number },
): number {
  const own = blend[row]! + by * column[row]!
  let place = 0
  for (let other = 0; other < blend.length && place < listLength; other++) {
    const score = blend[other]! + by * column[other]!
    if (score > own || (score === own && other < row)) place++
  }
  return place
}
