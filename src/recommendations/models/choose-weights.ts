// Chooses the weights of the candidate sources per page on held-out cases. Coordinate search from the defaults and from
// the best single source; the result is kept only where it also wins on cases that the search did not use. In a large shop
// factors lose their weight on a page whose lists can do without them.

import { topK } from '../../ml/top-k.ts'
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
/** Moves along the grid; the wide ones cross a plateau. */
const moves = [1, -1, 3, -3]
/** By page, without a search and with time for one. More cases and longer lists leave less to chance. */
const efforts = {
  quick: { maxCases: 800, candidatesPerCase: 150, starts: 1, listLength: 10 },
  searched: { maxCases: 12_000, candidatesPerCase: 300, starts: 2, listLength: 20 },
}
type Effort = keyof typeof efforts
const fewestCases = 100
const maxRounds = 4
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

/** Every second case is used for the search, the others decide whether its result is kept. */
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
    .map((from, at) => climbed(used, from, { listLength, pace: partOf(pace, 1 / (starts - at)) }))
    .toSorted((a, b) => b.score - a.score)
  const { weights } = best!
  const before = scoreOf(heldOut, blendsOf(heldOut, start), { listLength })
  return scoreOf(heldOut, blendsOf(heldOut, weights), { listLength }) > before * leastGain ? weights : start
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

/** Moves one weight at a time while the cases gain and time is left. */
function climbed(
  used: readonly JudgedCase[],
  start: readonly number[],
  { listLength, pace }: { listLength: number; pace: Pace },
): { weights: readonly number[]; score: number } {
  let weights = start
  const blends = blendsOf(used, weights)
  const sources = start.keys().filter((source) => used.some(({ scores }) => scores[source]!.some(isScore)))
  const scoring = sources.toArray()
  let best = scoreOf(used, blends, { listLength })
  for (let round = 0, moved = true; moved && round < maxRounds; round++) {
    moved = false
    for (const source of scoring) {
      for (const move of moves) {
        for (;;) {
          const value = grid[grid.indexOf(weights[source]!) + move]
          if (value === undefined || isOver(pace)) break
          const by = value - weights[source]!
          const score = scoreOf(used, blends, { listLength, move: { source, by } })
          if (score <= best * leastMoveGain) break
          best = score
          blends.forEach((blend, at) => addColumn(blend, used[at]!.scores[source]!, by))
          weights = weights.with(source, value)
          moved = true
        }
      }
    }
  }
  return { weights, score: best }
}

const isScore = (score: number): boolean => score !== 0

function blendsOf(cases: readonly WeightedCase[], weights: readonly number[]): Float64Array[] {
  return cases.map(({ scores }) => {
    const blend = new Float64Array(scores[0]!.length)
    scores.forEach((column, source) => addColumn(blend, column, weights[source]!))
    return blend
  })
}

/** What is needed to score blends of a case over and over. */
interface JudgedCase extends WeightedCase {
  /** By row. */
  isRelevant: Uint8Array
}

function judgedCase(it: WeightedCase): JudgedCase {
  const isRelevant = new Uint8Array(it.scores[0]?.length ?? 0)
  for (const row of it.relevant) if (row >= 0) isRelevant[row] = 1
  return { ...it, isRelevant }
}

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
 * move, that of the blends after it.
 */
function scoreOf(
  cases: readonly JudgedCase[],
  blends: readonly Float64Array[],
  { listLength, move }: { listLength: number; move?: Move },
): number {
  let [ndcg, recall] = [0, 0]
  const gains = Float64Array.from({ length: listLength }, (_, at) => 1 / Math.log2(at + 2))
  const room = new Float64Array(blends.reduce((most, { length }) => Math.max(most, length), 0))
  blends.forEach((blend, at) => {
    const { scores, relevant, isRelevant } = cases[at]!
    if (relevant.size === 0) return
    const moved = room.subarray(0, blend.length)
    moved.set(blend)
    if (move) addColumn(moved, scores[move.source]!, move.by)
    const { ids } = topK(moved, listLength)
    let [gain, most, hits] = [0, 0, 0]
    for (let place = 0; place < ids.length; place++) {
      if (isRelevant[ids[place]!] === 0) continue
      gain += gains[place]!
      hits++
    }
    for (let place = 0; place < Math.min(listLength, relevant.size); place++) most += gains[place]!
    ndcg += gain / most
    recall += hits / relevant.size
  })
  return Math.sqrt(ndcg * recall) / Math.max(1, cases.length)
}
