// What `rank` and `classify` share: options chosen on slices of train, members whose mean is the prediction, and grouped
// cross-validation where there is no test file.
import { performance } from 'node:perf_hooks'
import { shuffled } from '../../ml/random.ts'
import type { FeatureColumns } from '../../ml/trees/model.ts'
import type { TrainData } from '../../ml/trees/train.ts'
import { pickedRows } from '../../ml/trees/picked-rows.ts'
import { memberValues, tuneMembers, type Member, type TunePlan } from '../../ml/trees/tune.ts'
import { InputError } from './read-lines.ts'

export interface TreeTaskOptions {
  train: string
  test?: string | undefined
  folds: number
  budgetSeconds: number
  seed: number
  label?: string | undefined
  categorical?: string[] | 'all' | undefined
  threads: number
  /** Seconds since the start by the clock of the budget; the wall's by default. */
  elapsed?: (() => number) | undefined
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

/** Rows to train on or to predict; `fileRows` holds their positions in the file. */
export interface TaskRows extends TrainData {
  fileRows: Int32Array
}

/** Some of the rows, in the order given. */
export function pickedTaskRows(rows: TaskRows, chosen: ArrayLike<number>): TaskRows {
  return {
    columns: pickedRows(rows.columns, chosen),
    labels: Float64Array.from(chosen, (row) => rows.labels[row]!),
    fileRows: Int32Array.from(chosen, (row) => rows.fileRows[row]!),
  }
}

/** Where the two tasks differ. A unit is never split between slices or folds. */
export interface TreeTask {
  units: 'queries' | 'rows'
  unitCount: (rows: TaskRows) => number
  picked: (rows: TaskRows, units: Int32Array) => TaskRows
  tuning: (
    columns: FeatureColumns,
  ) => Pick<TunePlan, 'cuts' | 'candidates' | 'tolerance' | 'slack' | 'maxMembers' | 'partner'>
  /** Converts a raw value of the members to a score. */
  score: (value: number) => number
  metrics: (rows: TaskRows, scores: Float64Array) => Record<string, number>
}

const heldOutEvery = 5

/** Fits on the train rows and predicts the test rows, or each fold from the others when there are none. */
export function evaluateTreeTask(
  task: TreeTask,
  { train, test }: { train: TaskRows; test: TaskRows | undefined },
  options: TreeTaskOptions,
): TreeTaskResult {
  const rounds = test === undefined ? foldRounds(task, train, options) : [{ trained: train, tested: test }]
  const all = test ?? train
  const predictions = new Float64Array(all.fileRows.length)
  let fitSeconds = 0
  let secondsPerCase = 0
  rounds.forEach(({ trained, tested }, round) => {
    const began = performance.now()
    const members = fitted(task, trained, {
      ...options,
      budgetSeconds: options.budgetSeconds / rounds.length,
    })
    const fittedAt = performance.now()
    const scores = memberValues(members, tested.columns).map(task.score)
    fitSeconds += (fittedAt - began) / 1000
    secondsPerCase += (performance.now() - fittedAt) / 1000
    tested.fileRows.forEach((fileRow, row) => (predictions[fileRow] = scores[row]!))
    options.onProgress?.(`fold ${round + 1} of ${rounds.length}: ${shown(task.metrics(tested, scores))}`)
  })
  const scores = Float64Array.from(all.fileRows, (fileRow) => predictions[fileRow]!)
  return {
    metrics: task.metrics(all, scores),
    fitSeconds,
    rowsPerSecond: scores.length / Math.max(secondsPerCase, 1e-9),
    predictions,
  }
}

const shown = (metrics: Record<string, number>): string =>
  Object.entries(metrics)
    .map(([name, value]) => `${name} ${value.toFixed(4)}`)
    .join(' ')

function foldRounds(task: TreeTask, rows: TaskRows, options: TreeTaskOptions) {
  const count = task.unitCount(rows)
  const folds = Math.min(Math.floor(options.folds), count)
  if (!(folds >= 2)) {
    throw new InputError(`${options.train}: cross-validation needs two folds and two ${task.units}`)
  }
  const order = shuffled(count, options.seed)
  return Array.from({ length: folds }, (_, fold) => ({
    trained: task.picked(
      rows,
      order.filter((__, i) => i % folds !== fold),
    ),
    tested: task.picked(
      rows,
      order.filter((__, i) => i % folds === fold),
    ),
  }))
}

/** Members whose options were chosen on slices of these rows; a single unit is its own slice. */
function fitted(task: TreeTask, rows: TaskRows, options: TreeTaskOptions): Member[] {
  const count = task.unitCount(rows)
  const order = shuffled(count, options.seed + 1)
  const heldOut = Math.min(heldOutEvery, count)
  const side = (cut: number, held: boolean) =>
    task.picked(
      rows,
      order.filter((_, i) => count < 2 || (i % heldOut === cut % heldOut) === held),
    )
  return tuneMembers({
    ...task.tuning(rows.columns),
    data: rows,
    slice: (cut) => ({ train: side(cut, false), check: side(cut, true) }),
    seconds: options.budgetSeconds,
    now: () => (options.elapsed === undefined ? performance.now() : options.elapsed() * 1000),
    seed: options.seed,
    threads: options.threads,
    onProgress: options.onProgress,
  })
}
