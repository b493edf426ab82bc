// The task `classify`: the chance of one of two classes, from a CSV with a header.
import { performance } from 'node:perf_hooks'
import { auc, logLoss } from '../ml/metrics.ts'
import { shuffled } from '../ml/random.ts'
import { categoryHash } from '../ml/trees/city-hash.ts'
import type { FeatureColumns } from '../ml/trees/model.ts'
import type { TrainData } from '../ml/trees/train.ts'
import type { TrainOptions } from '../ml/trees/train-options.ts'
import { memberValues, pickedRows, tunedMembers, type Member } from '../ml/trees/tune.ts'
import { readTable, type Table } from './csv-table.ts'
import type { TreeTaskOptions, TreeTaskResult } from './rank.ts'
import { InputError } from './read-lines.ts'

const CUTS = 1
const HELD_OUT = 5
const MAX_MEMBERS = 6

/** Options worth trying for any table; the second is for columns that only tell something together. */
const CANDIDATES: Partial<TrainOptions>[] = [
  { maxCtrComplexity: 3, maxCtrTables: 200, featureShare: 0.5, modelSizeReg: 0 },
  { maxCtrComplexity: 2, maxCtrTables: 120, featureShare: 1, modelSizeReg: 0 },
].map((options) => ({
  loss: 'Logloss' as const,
  iterations: 400,
  learningRate: 0.08,
  depth: 6,
  earlyStoppingRounds: 40,
  ...options,
}))

interface Labelled {
  columns: FeatureColumns
  labels: Float64Array
}

/** Fits on the train file and answers the test file, or each fold by the others when there is no test file. */
export async function evaluateClassify(options: TreeTaskOptions): Promise<TreeTaskResult> {
  const table = await readTable(options.train)
  const shape = tableShape(table, options)
  const train = labelledRows(table, shape)
  if (options.test === undefined) return crossValidated(train, options)
  const test = labelledRows(await readTable(options.test), shape)
  const began = performance.now()
  const members = fitted(train, options, options.budgetSeconds)
  const fitSeconds = (performance.now() - began) / 1000
  const answer = timedChances(members, test.columns)
  return judged(test, answer, fitSeconds)
}

interface TableShape {
  label: string
  classes: [string, string]
  numeric: string[]
  categorical: string[]
}

function tableShape(table: Table, options: TreeTaskOptions): TableShape {
  const label = options.label ?? table.header[0]!
  if (!table.header.includes(label)) throw new InputError(`${table.file}: it has no column ${label}`)
  const others = table.header.filter((name) => name !== label)
  if (others.length === 0) throw new InputError(`${table.file}: it has no column besides the label`)
  const named = options.categorical
  for (const name of Array.isArray(named) ? named : []) {
    if (!others.includes(name)) throw new InputError(`${table.file}: it has no column ${name}`)
  }
  const isCategorical = (name: string) =>
    named === 'all' || (Array.isArray(named) ? named.includes(name) : !table.isNumeric(name))
  const classes = [...new Set(table.texts(label))].toSorted((left, right) => {
    return Number(left) - Number(right) || (left < right ? -1 : 1)
  })
  if (classes.length !== 2) {
    throw new InputError(`${table.file}: the column ${label} has ${classes.length} values, two are needed`)
  }
  return {
    label,
    classes: [classes[0]!, classes[1]!],
    numeric: others.filter((name) => !isCategorical(name)),
    categorical: others.filter((name) => isCategorical(name)),
  }
}

function labelledRows(table: Table, shape: TableShape): Labelled {
  for (const name of [shape.label, ...shape.numeric, ...shape.categorical]) {
    if (!table.header.includes(name)) throw new InputError(`${table.file}: it has no column ${name}`)
  }
  const labels = Float64Array.from(table.texts(shape.label), (text, row) => {
    const found = shape.classes.indexOf(text)
    if (found >= 0) return found
    throw new InputError(`${table.file} row ${row + 1}: ${JSON.stringify(text)} is none of the two classes`)
  })
  const hashes = new Map<string, number>()
  const hash = (text: string) => {
    const known = hashes.get(text) ?? categoryHash(text)
    hashes.set(text, known)
    return known
  }
  return {
    labels,
    columns: {
      rows: labels.length,
      floats: shape.numeric.map((name) => table.numbers(name)),
      categories: shape.categorical.map((name) => Int32Array.from(table.texts(name), hash)),
    },
  }
}

function crossValidated(rows: Labelled, options: TreeTaskOptions): TreeTaskResult {
  const folds = Math.min(Math.floor(options.folds), rows.labels.length)
  if (folds < 2) throw new InputError(`${options.train}: cross-validation needs two folds and two rows`)
  const order = shuffled(rows.labels.length, options.seed)
  const scores = new Float64Array(rows.labels.length)
  let fitSeconds = 0
  let scoringSeconds = 0
  for (let fold = 0; fold < folds; fold++) {
    const outside = order.filter((_, i) => i % folds === fold)
    const began = performance.now()
    const inside = picked(
      rows,
      order.filter((_, i) => i % folds !== fold),
    )
    const members = fitted(inside, options, options.budgetSeconds / folds)
    fitSeconds += (performance.now() - began) / 1000
    const asked = picked(rows, outside)
    const answer = timedChances(members, asked.columns)
    scoringSeconds += answer.seconds
    outside.forEach((row, i) => (scores[row] = answer.scores[i]!))
    const loss = logLoss(answer.scores, asked.labels)
    options.onProgress?.(`fold ${fold + 1} of ${folds}: log-loss ${loss.toFixed(4)}`)
  }
  return judged(rows, { scores, seconds: scoringSeconds }, fitSeconds)
}

function fitted(rows: Labelled, options: TreeTaskOptions, seconds: number): Member[] {
  const order = shuffled(rows.labels.length, options.seed + 1)
  const few = rows.labels.length < 2 * HELD_OUT
  const side = (cut: number, held: boolean) =>
    picked(
      rows,
      order.filter((_, i) => few || (i % HELD_OUT === cut) === held),
    )
  const { members } = tunedMembers({
    data: rows,
    slice: (cut): { train: TrainData; check: TrainData } => ({
      train: side(cut, false),
      check: side(cut, true),
    }),
    cuts: CUTS,
    candidates: rows.columns.categories.length > 1 ? CANDIDATES : CANDIDATES.slice(1),
    tolerance: 0,
    maxMembers: MAX_MEMBERS,
    seconds,
    now: () => performance.now(),
    seed: options.seed,
    threads: options.threads,
    onProgress: options.onProgress,
  })
  return members
}

function picked(rows: Labelled, chosen: Int32Array): Labelled {
  return {
    columns: pickedRows(rows.columns, chosen),
    labels: Float64Array.from(chosen, (row) => rows.labels[row]!),
  }
}

interface Answer {
  scores: Float64Array
  seconds: number
}

function timedChances(members: Member[], columns: FeatureColumns): Answer {
  const began = performance.now()
  const scores = memberValues(members, columns).map((value) => 1 / (1 + Math.exp(-value)))
  return { scores, seconds: (performance.now() - began) / 1000 }
}

function judged(rows: Labelled, answer: Answer, fitSeconds: number): TreeTaskResult {
  return {
    metrics: { 'log-loss': logLoss(answer.scores, rows.labels), auc: auc(answer.scores, rows.labels) },
    fitSeconds,
    rowsPerSecond: answer.scores.length / Math.max(answer.seconds, 1e-9),
    predictions: answer.scores,
  }
}
