// The task `rank`: learn to order the rows of each query, from lines of query, relevance and numeric features.
import { performance } from 'node:perf_hooks'
import { gradedNdcgAt } from '../ml/metrics.ts'
import { shuffled } from '../ml/random.ts'
import type { FeatureColumns } from '../ml/trees/model.ts'
import type { TrainData } from '../ml/trees/train.ts'
import type { TrainOptions } from '../ml/trees/train-options.ts'
import { memberValues, pickedRows, tunedMembers, type Member } from '../ml/trees/tune.ts'
import { InputError, lineBatches } from './read-lines.ts'

export interface TreeTaskOptions {
  train: string
  test?: string | undefined
  folds: number
  budgetSeconds: number
  seed: number
  label?: string | undefined
  categorical?: string[] | 'all' | undefined
  threads: number
  onProgress?: ((text: string) => void) | undefined
}

export interface TreeTaskResult {
  metrics: Record<string, number>
  /** Choosing and training together. */
  fitSeconds: number
  rowsPerSecond: number
  /** The score or probability of each row, in the order of the file it stands in. */
  predictions: Float64Array
}

const NDCG_DEPTH = 10
const CUTS = 2
const HELD_OUT = 5
const MAX_FEATURES = 10_000
const MISSING = new Set(['', 'nan', 'na', 'null', '?'])

/** Options worth trying for any ranking, the likeliest first. */
const TRIED: Partial<TrainOptions>[] = [
  { depth: 5, l2: 20, featureShare: 0.6, bootstrap: { kind: 'Bernoulli', share: 0.7 } },
  { depth: 6, l2: 3, featureShare: 0.7 },
]
const CANDIDATES = TRIED.map((options) => ({
  loss: 'YetiRank' as const,
  iterations: 450,
  learningRate: 0.06,
  borderCount: 64,
  earlyStoppingRounds: 200,
  ...options,
}))

/** Rows of a ranking file, rows of one query together; `fileRows` tells where each stood. */
export interface RankRows {
  columns: FeatureColumns
  labels: Float64Array
  queries: Int32Array
  fileRows: Int32Array
}

/** Fits on the train file and orders the test file, or each fold by the others when there is no test file. */
export async function evaluateRank(options: TreeTaskOptions): Promise<TreeTaskResult> {
  const train = await readRankRows(options.train)
  if (options.test === undefined) return crossValidated(train, options)
  const test = await readRankRows(options.test)
  if (test.columns.floats.length !== train.columns.floats.length) {
    throw new InputError(`${options.test}: it has another number of features than the train file`)
  }
  const began = performance.now()
  const members = fitted(train, options, options.budgetSeconds)
  const fitSeconds = (performance.now() - began) / 1000
  return judged(test, timedScores(members, test.columns), fitSeconds)
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
      if (width === -1) width = values.length
      if (values.length !== width || width === 0 || width > MAX_FEATURES) {
        throw new InputError(`${place}: ${values.length} features, ${Math.max(1, width)} expected`)
      }
      const relevance = Number(label)
      if (label.trim() === '' || !Number.isFinite(relevance)) {
        throw new InputError(`${place}: the relevance should be a number`)
      }
      if (!queryNumbers.has(query)) queryNumbers.set(query, queryNumbers.size)
      rowQueries.push(queryNumbers.get(query)!)
      labels.push(relevance)
      features.push(values.map((value) => featureNumber(value, place)))
    }
  }
  if (labels.length === 0) throw new InputError(`${file}: it holds no rows`)
  return groupedRows(rowQueries, labels, features, queryNumbers.size)
}

/** A number, or NaN where a value is missing. */
export function featureNumber(text: string, place: string): number {
  const trimmed = text.trim()
  if (MISSING.has(trimmed.toLowerCase())) return Number.NaN
  const number = Number(trimmed)
  if (!Number.isNaN(number)) return number
  throw new InputError(`${place}: ${JSON.stringify(trimmed)} is not a number`)
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
  const relative = floats.map((values) => aboveQueryMean(values, queries))
  return {
    columns: { rows: fileRows.length, floats: [...floats, ...relative], categories: [] },
    labels: Float64Array.from(fileRows, (row) => labels[row]!),
    queries,
    fileRows,
  }
}

/** How far each value lies above the mean of its query: what counts in an order is the difference. */
function aboveQueryMean(values: Float32Array, queries: Int32Array): Float32Array {
  const relative = new Float32Array(values.length)
  for (let query = 0; query + 1 < queries.length; query++) {
    const own = values.subarray(queries[query], queries[query + 1])
    const present = own.filter((value) => Number.isFinite(value))
    const mean = present.reduce((sum, value) => sum + value, 0) / Math.max(1, present.length)
    for (let i = 0; i < own.length; i++) relative[queries[query]! + i] = own[i]! - mean
  }
  return relative
}

function crossValidated(rows: RankRows, options: TreeTaskOptions): TreeTaskResult {
  const queryCount = rows.queries.length - 1
  const folds = Math.min(Math.floor(options.folds), queryCount)
  if (folds < 2) throw new InputError(`${options.train}: cross-validation needs two folds and two queries`)
  const order = shuffled(queryCount, options.seed)
  const scores = new Float64Array(rows.columns.rows)
  let fitSeconds = 0
  let scoringSeconds = 0
  for (let fold = 0; fold < folds; fold++) {
    const inside = order.filter((_, i) => i % folds !== fold)
    const outside = order.filter((_, i) => i % folds === fold)
    const began = performance.now()
    const members = fitted(pickedQueries(rows, inside), options, options.budgetSeconds / folds)
    fitSeconds += (performance.now() - began) / 1000
    const asked = pickedQueries(rows, outside)
    const answer = timedScores(members, asked.columns)
    scoringSeconds += answer.seconds
    queryRows(rows, outside).forEach((row, i) => (scores[row] = answer.scores[i]!))
    options.onProgress?.(`fold ${fold + 1} of ${folds}: ndcg@10 ${meanNdcg(asked, answer.scores).toFixed(4)}`)
  }
  return judged(rows, { scores, seconds: scoringSeconds }, fitSeconds)
}

function fitted(rows: RankRows, options: TreeTaskOptions, seconds: number): Member[] {
  const queryCount = rows.queries.length - 1
  const order = shuffled(queryCount, options.seed + 1)
  const heldOut = Math.min(HELD_OUT, Math.max(2, queryCount))
  const { members } = tunedMembers({
    data: trainData(rows),
    slice: (cut) => ({
      train: trainData(
        pickedQueries(
          rows,
          order.filter((_, i) => queryCount < 2 || i % heldOut !== cut % heldOut),
        ),
      ),
      check: trainData(
        pickedQueries(
          rows,
          order.filter((_, i) => queryCount < 2 || i % heldOut === cut % heldOut),
        ),
      ),
    }),
    cuts: CUTS,
    candidates: CANDIDATES,
    tolerance: 0.006,
    maxMembers: 12,
    seconds,
    now: () => performance.now(),
    seed: options.seed,
    threads: options.threads,
    onProgress: options.onProgress,
  })
  return members
}

function trainData(rows: RankRows): TrainData {
  return { columns: rows.columns, labels: rows.labels, queries: rows.queries }
}

function queryRows({ queries }: RankRows, chosen: Int32Array): Int32Array {
  const rows: number[] = []
  for (const query of chosen) for (let row = queries[query]!; row < queries[query + 1]!; row++) rows.push(row)
  return Int32Array.from(rows)
}

function pickedQueries(rows: RankRows, chosen: Int32Array): RankRows {
  const picked = queryRows(rows, chosen)
  const queries = new Int32Array(chosen.length + 1)
  chosen.forEach((query, i) => {
    queries[i + 1] = queries[i]! + rows.queries[query + 1]! - rows.queries[query]!
  })
  return {
    columns: pickedRows(rows.columns, picked),
    labels: Float64Array.from(picked, (row) => rows.labels[row]!),
    queries,
    fileRows: Int32Array.from(picked, (row) => rows.fileRows[row]!),
  }
}

interface Answer {
  scores: Float64Array
  seconds: number
}

function timedScores(members: Member[], columns: FeatureColumns): Answer {
  const began = performance.now()
  const scores = memberValues(members, columns)
  return { scores, seconds: (performance.now() - began) / 1000 }
}

function judged(rows: RankRows, answer: Answer, fitSeconds: number): TreeTaskResult {
  const predictions = new Float64Array(answer.scores.length)
  rows.fileRows.forEach((fileRow, row) => (predictions[fileRow] = answer.scores[row]!))
  return {
    metrics: { 'ndcg@10': meanNdcg(rows, answer.scores) },
    fitSeconds,
    rowsPerSecond: answer.scores.length / Math.max(answer.seconds, 1e-9),
    predictions,
  }
}

/** Mean NDCG@10 over queries; equal scores keep the order of the file. */
export function meanNdcg({ queries, labels }: RankRows, scores: Float64Array): number {
  let sum = 0
  for (let query = 0; query + 1 < queries.length; query++) {
    const from = queries[query]!
    const order = Array.from({ length: queries[query + 1]! - from }, (_, i) => from + i).toSorted(
      (left, right) => scores[right]! - scores[left]! || left - right,
    )
    sum += gradedNdcgAt(
      order.map((row) => labels[row]!),
      NDCG_DEPTH,
    )
  }
  return sum / Math.max(1, queries.length - 1)
}
