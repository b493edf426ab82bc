// The task `rank`: learn to order the rows of each query, from lines of query, relevance and numeric features.
import { scoredNdcgAt } from '../../ml/metrics.ts'
import type { Recipe } from '../../ml/trees/training-recipe.ts'
import type { TrainOptions } from '../../ml/trees/train-options.ts'
import { InputError, lineBatches, neededNumber } from './read-lines.ts'
import {
  evaluateTreeTask,
  pickedTaskRows,
  type TaskRows,
  type TreeTask,
  type TreeTaskOptions,
  type TreeTaskResult,
} from './tree-task.ts'

const ndcgDepth = 10
const cutCount = 2
const memberLimit = 16
/** The slices' NDCG errs by about this much between two ways to train. */
const errorTolerance = 0.02
const errorSlack = 0.003
const maxFeatures = 10_000
/** Above this many values, columns relative to the query would cost more memory and time than they gain. */
const maxRelativeValues = 20_000_000
/** The gain of a row is 2 to the power of its relevance: above this, sums would lose everything else. */
const maxRelevance = 100

const boostedOptions: Partial<TrainOptions> = {
  depth: 6,
  l2: 20,
  borderCount: 64,
  featureShare: 0.6,
  bootstrap: { kind: 'Bernoulli', share: 0.7 },
}
const regressionOptions: Partial<TrainOptions> = {
  ...boostedOptions,
  loss: 'QueryRMSE',
  iterations: 500,
  learningRate: 0.06,
}

/** Recipes with different errors: a few members of each rank better than many of the best alone (ADR 0027). */
const candidatePlans: Recipe[] = [
  { kind: 'boosted', options: { ...regressionOptions, score: 'L2' } },
  { kind: 'forest', options: {} },
  { kind: 'boosted', options: { ...boostedOptions, loss: 'YetiRank', iterations: 300, learningRate: 0.08 } },
  { kind: 'boosted', options: { ...regressionOptions, score: 'Cosine', randomStrength: 4 } },
]

/** Rows of a ranking file, rows of one query together. */
export interface RankRows extends TaskRows {
  queries: Int32Array
}

const rankTask: TreeTask = {
  units: 'queries',
  unitCount: (rows) => queriesOf(rows).length - 1,
  picked: pickedQueries,
  tuning: () => ({
    cuts: cutCount,
    candidates: candidatePlans,
    tolerance: errorTolerance,
    slack: errorSlack,
    maxMembers: memberLimit,
    partner: false,
  }),
  score: (value) => value,
  metrics: (rows, scores) => ({ 'ndcg@10': meanNdcg(rows, scores) }),
}

/** Fits on the train file and orders the test file, or each fold by the others when there is no test file. */
export async function evaluateRank(options: TreeTaskOptions): Promise<TreeTaskResult> {
  const train = await readRankRows(options.train)
  const test = options.test === undefined ? undefined : await readRankRows(options.test)
  if (test !== undefined && test.columns.floats.length !== train.columns.floats.length) {
    throw new InputError(`${options.test}: it has another number of features than the train file`)
  }
  return evaluateTreeTask(rankTask, { train, test }, options)
}

/** Reads lines of query, relevance and features, separated by tabs. */
export async function readRankRows(file: string): Promise<RankRows> {
  const queryNumbers = new Map<string, number>()
  const rowQueries: number[] = []
  const labels: number[] = []
  const features: number[][] = []
  let width = -1
  for await (const batch of lineBatches(file)) {
    for (const { text, number } of batch) {
      const place = `${file} line ${number}`
      const [query = '', label = '', ...values] = text.split('\t')
      if (values.length === 0 || values.length > maxFeatures) {
        throw new InputError(`${place}: a line is "query <TAB> relevance <TAB> features…"`)
      }
      if (width === -1) width = values.length
      if (values.length !== width) {
        throw new InputError(`${place}: ${values.length} features, ${width} expected`)
      }
      const relevance = label.trim() === '' ? Number.NaN : Number(label)
      if (!(relevance >= 0 && relevance <= maxRelevance)) {
        throw new InputError(`${place}: the relevance should be a number from 0 to ${maxRelevance}`)
      }
      if (!queryNumbers.has(query)) queryNumbers.set(query, queryNumbers.size)
      rowQueries.push(queryNumbers.get(query)!)
      labels.push(relevance)
      features.push(values.map((value) => neededNumber(value, place)))
    }
  }
  if (labels.length === 0) throw new InputError(`${file}: it holds no rows`)
  return groupedRows(rowQueries, labels, features, queryNumbers.size)
}

function groupedRows(
  rowQueries: number[],
  labels: number[],
  features: number[][],
  queryCount: number,
): RankRows {
  const fileRows = Int32Array.from(rowQueries.keys()).toSorted(
    (left, right) => rowQueries[left]! - rowQueries[right]! || left - right,
  )
  const queries = new Int32Array(queryCount + 1)
  for (const query of rowQueries) queries[query + 1]!++
  for (let query = 0; query < queryCount; query++) queries[query + 1]! += queries[query]!
  const floats = Array.from({ length: features[0]!.length }, (_, feature) =>
    Float32Array.from(fileRows, (row) => features[row]![feature]!),
  )
  const large = floats.length * fileRows.length > maxRelativeValues
  const inQuery = (columnOf: (own: Float32Array) => Float32Array) =>
    large ? [] : floats.map((values) => byQuery(values, queries, columnOf))
  return {
    columns: {
      rows: fileRows.length,
      floats: [...floats, ...inQuery(aboveMean), ...inQuery(placeShares)],
      categories: [],
    },
    labels: Float64Array.from(fileRows, (row) => labels[row]!),
    queries,
    fileRows,
  }
}

function byQuery(
  values: Float32Array,
  queries: Int32Array,
  columnOf: (own: Float32Array) => Float32Array,
): Float32Array {
  const column = new Float32Array(values.length)
  for (let query = 0; query + 1 < queries.length; query++) {
    column.set(columnOf(values.subarray(queries[query], queries[query + 1])), queries[query])
  }
  return column
}

/** How far each value lies above the mean of its query: only differences matter for the order. */
function aboveMean(own: Float32Array): Float32Array {
  const present = own.filter((value) => Number.isFinite(value))
  const mean = present.reduce((sum, value) => sum + value, 0) / Math.max(1, present.length)
  return own.map((value) => value - mean)
}

/** The share of its query that stands below each value, equals counting half. */
function placeShares(own: Float32Array): Float32Array {
  const sorted = own.filter((value) => !Number.isNaN(value)).sort()
  const below = new Map<number, number>()
  const upTo = new Map<number, number>()
  sorted.forEach((value, at) => {
    if (!below.has(value)) below.set(value, at)
    upTo.set(value, at + 1)
  })
  return own.map((value) =>
    Number.isNaN(value) ? value : (below.get(value)! + upTo.get(value)!) / 2 / sorted.length,
  )
}

const queriesOf = (rows: TaskRows): Int32Array => rows.queries ?? Int32Array.of(0)

function pickedQueries(rows: TaskRows, chosen: Int32Array): RankRows {
  const starts = queriesOf(rows)
  const queries = new Int32Array(chosen.length + 1)
  const picked: number[] = []
  chosen.forEach((query, i) => {
    for (let row = starts[query]!; row < starts[query + 1]!; row++) picked.push(row)
    queries[i + 1] = picked.length
  })
  return { ...pickedTaskRows(rows, picked), queries }
}

/** Mean NDCG@10 over queries; equal scores keep the order of the file. */
export function meanNdcg(rows: TaskRows, scores: Float64Array): number {
  const queries = queriesOf(rows)
  let sum = 0
  for (let query = 0; query + 1 < queries.length; query++) {
    const from = queries[query]!
    const to = queries[query + 1]!
    sum += scoredNdcgAt(rows.labels.subarray(from, to), scores.subarray(from, to), ndcgDepth)
  }
  return sum / Math.max(1, queries.length - 1)
}
