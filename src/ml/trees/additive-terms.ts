// Terms of an additive model: what the weight of a row depends on. A term numbers the rows by one thing it knows.
import { featureBorders } from './borders.ts'
import {
  combinations,
  differingProjections,
  fullTable,
  isNearlyUnique,
  positionsOf,
  projectionOf,
} from './ctr-columns.ts'
import type { FeatureColumns } from './model.ts'
import { bordersBelow } from './quantise.ts'

export type Term =
  /** The combined value of categorical features; values seen less than twice share one weight. */
  | { kind: 'value'; features: number[] }
  /** How many other rows have the combined value, on a scale that becomes coarser. */
  | { kind: 'count'; features: number[] }
  /** The interval that a number lies in. */
  | { kind: 'interval'; feature: number }

/** The numbers that a term gives to rows. */
export interface TermInput {
  size: number
  /** Of the training rows, each without itself where rows are counted. */
  own: Int32Array
  /** Of other rows. */
  of: (columns: FeatureColumns) => Int32Array
}

const maxFeatures = 3
const maxCombinations = 200
const intervalBorders = 254
/** A value seen in fewer rows has no weight of its own. */
const leastSeen = 2
/** Counts up to this have a level of their own. */
const exactCounts = 6
const countSteps = 3
const countLevels = 41

/** All terms worth trying; of combinations that divide the rows alike the smaller one. */
export function candidateTerms(columns: FeatureColumns): Term[] {
  const projections = combinations([...columns.categories.keys()], maxFeatures, maxCombinations)
    .map((features) => projectionOf(features, columns))
    .filter((projection) => projection.keys.low.length > 1 && !isNearlyUnique(projection))
  const found = differingProjections(projections)
  return [
    ...found.map(({ features }): Term => ({ kind: 'value', features })),
    ...found.map(({ features }): Term => ({ kind: 'count', features })),
    ...columns.floats.map((_, feature): Term => ({ kind: 'interval', feature })),
  ]
}

/** The input of a term that knows these rows. */
export function termInput(term: Term, train: FeatureColumns): TermInput {
  if (term.kind === 'interval') return intervalInput(term.feature, train)
  const projection = projectionOf(term.features, train)
  const table = fullTable(projection, 'Counter', new Uint8Array(0))
  const counts = table.stats
  if (term.kind === 'count') {
    return {
      size: countLevels,
      own: projection.ids.map((id) => countLevel(counts[id]! - 1)),
      of: (columns) => positionsOf(table, columns).map((at) => countLevel(at < 0 ? 0 : counts[at]!)),
    }
  }
  let size = 1
  const numbers = Int32Array.from(counts, (count) => (count < leastSeen ? 0 : size++))
  return {
    size,
    own: projection.ids.map((id) => numbers[id]!),
    of: (columns) => positionsOf(table, columns).map((at) => (at < 0 ? 0 : numbers[at]!)),
  }
}

function countLevel(count: number): number {
  if (count <= exactCounts) return count
  return Math.min(countLevels - 1, Math.round(exactCounts + countSteps * Math.log2(count / exactCounts)))
}

function intervalInput(feature: number, train: FeatureColumns): TermInput {
  const borders = featureBorders(train.floats[feature]!, intervalBorders)
  const of = ({ floats }: FeatureColumns) =>
    Int32Array.from(floats[feature]!, (value) => (Number.isNaN(value) ? 0 : 1 + bordersBelow(borders, value)))
  return { size: borders.length + 2, own: of(train), of }
}

/** The term in a few characters. */
export function termName(term: Term): string {
  if (term.kind === 'interval') return `interval ${term.feature}`
  return `${term.kind} ${term.features.join('+')}`
}
