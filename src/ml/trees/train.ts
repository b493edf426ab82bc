import { assembleModel } from './assemble-model.ts'
import { boosted } from './boost.ts'
import { createKernelGrower } from './grow-kernel.ts'
import { createPlainGrower } from './grow-plain.ts'
import { orderWeights } from './ctr-columns.ts'
import type { Grower, GrowerShape } from './grower.ts'
import type { QueryRandom, Targets } from './derivatives.ts'
import { checkTargets, lossOf, ownQueryRandom } from './losses.ts'
import type { FeatureColumns, TreeModel } from './model.ts'
import { ModelError } from './model-error.ts'
import { columnShape, fillBlocks, trainColumns, type TrainColumns } from './train-columns.ts'
import { completeOptions, type TrainOptions } from './train-options.ts'

/** Rows with their labels; for ranking, rows of a query stand together and `queries` holds where each begins. */
export interface TrainData {
  columns: FeatureColumns
  labels: Float64Array
  weights?: Float64Array
  queries?: Int32Array
  floatNames?: string[]
  categoricalNames?: string[]
}

export interface Trained {
  model: TreeModel
  /** Validation error after each tree. */
  errors: number[]
}

export interface TrainExtra {
  validation?: TrainData
  onTree?: (tree: number, error: number) => void
  /** Called before every tree but the first with the number of trees grown; false ends the training. */
  shouldContinue?: (grown: number) => boolean
  /** Another source of chance for a loss that shakes rows. */
  randomOf?: QueryRandom
}

/** Trains symmetric trees; the same data, options and seed give the same model with any number of threads. */
export function trainTrees(
  data: TrainData,
  given: Partial<TrainOptions> = {},
  extra: TrainExtra = {},
): Trained {
  const options = completeOptions(given)
  checkData(data, options)
  const { validation } = extra
  if (validation !== undefined) checkData(validation, options)
  const plan = trainColumns(data.columns, options)
  const shape = growerShape(plan, options, data.columns.rows, validation?.columns.rows ?? 0)
  const classes = labelClasses(data.labels, options)
  const grower = createGrower(shape, options)
  try {
    fillBlocks({
      grower,
      plan,
      options,
      data: data.columns,
      validation: validation?.columns,
      classes,
      trainBlocks: shape.trainBlocks,
    })
    const result = boosted({
      shape,
      grower,
      loss: lossOf(options.loss),
      train: { ...targetsOf(data), labels: ownVector(grower, data.labels) },
      validation: validation === undefined ? undefined : targetsOf(validation),
      options,
      penalties: columnPenalties(plan, options),
      blockWeights: weightsOfBlocks(plan, options, shape),
      randomOf: extra.randomOf ?? ownQueryRandom,
      onTree: extra.onTree,
      shouldContinue: extra.shouldContinue,
    })
    const model = assembleModel({
      boosted: result,
      plan,
      options,
      data: data.columns,
      classes,
      floatNames: data.floatNames ?? [],
      categoricalNames: data.categoricalNames ?? [],
    })
    model.info = trainerInfo(options)
    return { model, errors: result.errors }
  } finally {
    grower.close()
  }
}

function checkData(data: TrainData, options: TrainOptions): void {
  const { columns, labels, queries } = data
  if (columns.rows === 0) throw new ModelError('There are no rows to train on.')
  if (labels.length !== columns.rows) {
    throw new ModelError(`There are ${labels.length} labels for ${columns.rows} rows.`)
  }
  for (const column of [...columns.floats, ...columns.categories]) {
    if (column.length !== columns.rows) {
      throw new ModelError(`A feature has ${column.length} values for ${columns.rows} rows.`)
    }
  }
  if (queries !== undefined) checkQueries(queries, columns.rows)
  checkTargets(options.loss, targetsOf(data))
}

function checkQueries(queries: Int32Array, rows: number): void {
  const orderly = queries.every((start, i) => i === 0 || start > queries[i - 1]!)
  if (queries[0] !== 0 || queries.at(-1) !== rows || !orderly) {
    throw new ModelError('Queries should begin at row 0, follow one another, and end after the last row.')
  }
}

function targetsOf(data: TrainData): Targets {
  return { labels: data.labels, weights: data.weights, queries: data.queries }
}

function growerShape(plan: TrainColumns, options: TrainOptions, rows: number, checked: number): GrowerShape {
  return {
    columns: plan.columns.map((column) => columnShape(column, options)),
    rows,
    trainBlocks: plan.projections.length > 0 ? options.permutations + 1 : options.freshLeaves ? 2 : 1,
    sharedColumns: plan.sharedCount,
    validationRows: checked,
    maxDepth: options.depth,
    threads: options.threads,
  }
}

/** The kernel where this runtime can run it and its memory holds the data; the slower plain implementation elsewhere. */
function createGrower(shape: GrowerShape, options: TrainOptions): Grower {
  const kernel = options.engine === 'kernel' ? createKernelGrower(shape) : undefined
  return kernel ?? createPlainGrower(shape)
}

function ownVector(grower: Grower, values: Float64Array): Float64Array {
  const vector = grower.vector()
  vector.set(values)
  return vector
}

/** Labels in two classes for target statistics: cut at one half, or near the median for labels of many values. */
function labelClasses(labels: Float64Array, options: TrainOptions): Uint8Array {
  const border = options.loss === 'Logloss' ? 0.5 : middleBorder(labels)
  const classes = new Uint8Array(labels.length)
  for (let row = 0; row < classes.length; row++) classes[row] = labels[row]! > border ? 1 : 0
  return classes
}

function middleBorder(labels: Float64Array): number {
  const sorted = labels.toSorted()
  const median = sorted[sorted.length >> 1]!
  return median > sorted[0]! ? sorted.findLast((label) => label < median)! : median
}

/** Weights by order, for losses of single rows. */
function weightsOfBlocks(
  { projections }: TrainColumns,
  { matchNewRows, loss, seed }: TrainOptions,
  { rows, trainBlocks }: GrowerShape,
): Float64Array[] | undefined {
  const ofRows = loss === 'RMSE' || loss === 'Logloss'
  if (!matchNewRows || !ofRows || projections.length === 0) return undefined
  return Array.from({ length: trainBlocks }, (_, block) => orderWeights(rows, seed, block))
}

/** CatBoost's price of a statistic by how many distinct keys it would bring into the model. */
function columnPenalties({ columns, projections }: TrainColumns, options: TrainOptions): Float64Array {
  const most = projections.reduce((max, { keys }) => Math.max(max, keys.low.length), 1)
  return Float64Array.from(columns, (column) => {
    if (column.kind !== 'ctr') return 1
    const { low } = projections[column.ctr.projection]!.keys
    return (1 + low.length / most) ** -options.modelSizeReg
  })
}

function trainerInfo(options: TrainOptions): Record<string, unknown> {
  const { loss, iterations, learningRate, depth, l2, seed } = options
  return {
    trainer: 'bozor',
    params: {
      loss_function: { type: loss, params: {} },
      flat_params: {
        loss_function: loss,
        iterations,
        learning_rate: learningRate,
        depth,
        l2_leaf_reg: l2,
        random_seed: seed,
      },
    },
  }
}
