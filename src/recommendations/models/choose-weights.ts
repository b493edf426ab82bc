// Chooses the weights of the candidate sources per page on held-out cases. Coordinate search from the defaults and from
// the best single source; the result is kept only where it also wins on cases that the search did not use. In a large shop
// factors lose their weight on a page whose lists can do without them.

import { ndcgAt } from '../../ml/metrics.ts'
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

/** The share of its time in which a page builds its cases; the rest is for moving weights. */
const buildingShare = 0.5

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
  const used = cases.filter((_, at) => at % 2 === 0)
  const heldOut = cases.filter((_, at) => at % 2 === 1)
  const [best] = [start, ...(starts > 1 ? [strongestAlone(used, start, listLength)] : [])]
    .map((from, at) => climbed(used, from, { listLength, pace: partOf(pace, 1 / (starts - at)) }))
    .toSorted((a, b) => b.score - a.score)
  const { weights } = best!
  const before = scoreOf(heldOut, blendsOf(heldOut, start), listLength)
  return scoreOf(heldOut, blendsOf(heldOut, weights), listLength) > before * leastGain ? weights : start
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
  const scored = (it: readonly number[]) => scoreOf(cases, blendsOf(cases, it), listLength)
  return scored(without) * leastGain >= scored(weights) ? without : weights
}

/** The source that does best without the others. */
function strongestAlone(
  cases: readonly WeightedCase[],
  start: readonly number[],
  listLength: number,
): readonly number[] {
  const alone = start.map((_, source) => start.map((__, other) => Number(other === source)))
  const scored = alone.map((weights) => ({
    weights,
    score: scoreOf(cases, blendsOf(cases, weights), listLength),
  }))
  return scored.reduce((a, b) => (b.score > a.score ? b : a)).weights
}

/** Moves one weight at a time while the cases gain and time is left. */
function climbed(
  used: readonly WeightedCase[],
  start: readonly number[],
  { listLength, pace }: { listLength: number; pace: Pace },
): { weights: readonly number[]; score: number } {
  let weights = start
  let blends = blendsOf(used, weights)
  let best = scoreOf(used, blends, listLength)
  for (let round = 0, moved = true; moved && round < maxRounds; round++) {
    moved = false
    for (let source = 0; source < start.length; source++) {
      for (const move of moves) {
        for (;;) {
          const value = grid[grid.indexOf(weights[source]!) + move]
          if (value === undefined || isOver(pace)) break
          const next = moveWeight(used, blends, { source, by: value - weights[source]! })
          const score = scoreOf(used, next, listLength)
          if (score <= best * leastMoveGain) break
          best = score
          blends = next
          weights = weights.with(source, value)
          moved = true
        }
      }
    }
  }
  return { weights, score: best }
}

function blendsOf(cases: readonly WeightedCase[], weights: readonly number[]): Float64Array[] {
  return cases.map(({ scores }) => {
    const blend = new Float64Array(scores[0]!.length)
    scores.forEach((column, source) => addColumn(blend, column, weights[source]!))
    return blend
  })
}

const moveWeight = (
  cases: readonly WeightedCase[],
  blends: readonly Float64Array[],
  { source, by }: { source: number; by: number },
): Float64Array[] =>
  blends.map((blend, at) => {
    const moved = blend.slice()
    addColumn(moved, cases[at]!.scores[source]!, by)
    return moved
  })

function addColumn(blend: Float64Array, column: Float32Array, weight: number): void {
  if (weight !== 0) for (let row = 0; row < blend.length; row++) blend[row]! += weight * column[row]!
}

/** Mean NDCG of the first places of the blends. */
function scoreOf(
  cases: readonly WeightedCase[],
  blends: readonly Float64Array[],
  listLength: number,
): number {
  let sum = 0
  blends.forEach((blend, at) => {
    sum += ndcgAt(topK(blend, listLength).ids, cases[at]!.relevant, listLength)
  })
  return sum / Math.max(1, cases.length)
}
