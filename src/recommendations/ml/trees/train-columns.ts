// The byte columns a training looks at: one for each numeric feature, each small categorical feature, and each
// statistic of each combination of the larger ones. Columns that are the same in every block come first.
import { featureBorders } from './borders.ts'
import {
  blockOrder,
  columnsOfProjection,
  combinations,
  ctrOf,
  finishedBins,
  fullTable,
  isNearlyUnique,
  orderedBins,
  projectionOf,
  type CtrColumn,
  type Projection,
} from './ctr-columns.ts'
import type { ColumnShape, Grower } from './grower.ts'
import type { FeatureColumns } from './model.ts'
import type { TrainOptions } from './train-options.ts'

const MAX_BORDER_SAMPLE = 200_000

export type TrainColumn =
  | { kind: 'float'; feature: number; borders: Float32Array }
  | { kind: 'one-hot'; feature: number; values: Int32Array }
  | { kind: 'ctr'; ctr: CtrColumn }

export interface TrainColumns {
  columns: TrainColumn[]
  sharedCount: number
  projections: Projection[]
}

/** Decides the columns of a training. */
export function trainColumns(data: FeatureColumns, options: TrainOptions): TrainColumns {
  const columns: TrainColumn[] = []
  data.floats.forEach((values, feature) => {
    const borders = featureBorders(sampled(values), options.borderCount, options.nanMode)
    if (borders.length > 0) columns.push({ kind: 'float', feature, borders })
  })
  const large: number[] = []
  data.categories.forEach((hashes, feature) => {
    const values = distinctUpTo(hashes, options.oneHotMaxSize)
    if (values === undefined) large.push(feature)
    else if (values.length > 1) columns.push({ kind: 'one-hot', feature, values })
  })
  const projections = combinations(large, options.maxCtrComplexity, options.maxCtrTables)
    .map((features) => projectionOf(features, data))
    .filter((projection) => !isNearlyUnique(projection))
  const ctrs = projections.flatMap((_, i) => columnsOfProjection(i))
  for (const ctr of ctrs) if (ctr.type === 'Counter') columns.push({ kind: 'ctr', ctr })
  const sharedCount = columns.length
  for (const ctr of ctrs) if (ctr.type === 'Borders') columns.push({ kind: 'ctr', ctr })
  return { columns, sharedCount, projections }
}

/** Borders of a very long feature are found on evenly spaced values of it. */
function sampled(values: Float32Array): Float32Array {
  if (values.length <= MAX_BORDER_SAMPLE) return values
  const step = values.length / MAX_BORDER_SAMPLE
  return Float32Array.from({ length: MAX_BORDER_SAMPLE }, (_, i) => values[Math.floor(i * step)]!)
}

function distinctUpTo(hashes: Int32Array, limit: number): Int32Array | undefined {
  const seen = new Set<number>()
  for (const hash of hashes) {
    seen.add(hash)
    if (seen.size > limit) return undefined
  }
  return Int32Array.from(seen).toSorted()
}

/** How the search sees a column. */
export function columnShape(column: TrainColumn, options: TrainOptions): ColumnShape {
  if (column.kind === 'float') return { bins: column.borders.length + 1, oneHot: false }
  if (column.kind === 'one-hot') return { bins: column.values.length + 1, oneHot: true }
  return { bins: options.ctrBorderCount + 1, oneHot: false }
}

export interface FillPlan {
  grower: Grower
  plan: TrainColumns
  options: TrainOptions
  data: FeatureColumns
  validation: FeatureColumns | undefined
  classes: Uint8Array
  trainBlocks: number
}

/** Writes the bytes of every column of every block. */
export function fillBlocks(fill: FillPlan): void {
  const { plan, trainBlocks } = fill
  plan.columns.forEach((column, at) => {
    if (column.kind === 'ctr' && column.ctr.type === 'Borders') return
    fillPlain(fill, { column, at, block: 0, data: fill.data })
    if (fill.validation === undefined) return
    fillPlain(fill, { column, at, block: trainBlocks, data: fill.validation })
  })
  for (let block = 0; block < trainBlocks; block++) fillOrdered(fill, block)
  if (fill.validation !== undefined) fillFinished(fill, fill.validation)
  fill.grower.ready()
}

interface PlainFill {
  column: TrainColumn
  at: number
  block: number
  data: FeatureColumns
}

function fillPlain(fill: FillPlan, { column, at, block, data }: PlainFill): void {
  const { grower, options, classes } = fill
  if (column.kind === 'float') {
    const { borders } = column
    const missing = options.nanMode === 'Max' ? borders.length : 0
    grower.quantise(block, at, { values: data.floats[column.feature]!, borders, missing })
  } else if (column.kind === 'one-hot') {
    const numbers = new Map(Array.from(column.values, (value, i) => [value, i + 1]))
    const hashes = data.categories[column.feature]!
    grower.column(block, at).set(Uint8Array.from(hashes, (hash) => numbers.get(hash) ?? 0))
  } else {
    const projection = fill.plan.projections[column.ctr.projection]!
    const table = fullTable(projection, column.ctr.type, { classes, columns: fill.data })
    grower.column(block, at).set(finishedBins(ctrOf(column.ctr, options.ctrBorderCount), table, data))
  }
}

function fillOrdered(fill: FillPlan, block: number): void {
  const { plan, options } = fill
  if (plan.projections.length === 0) return
  const order = blockOrder(fill.data.rows, options.seed, block)
  plan.projections.forEach((projection, i) => {
    const own = labelColumns(plan, i)
    const ctrs = own.map(({ ctr }) => ctrOf(ctr, options.ctrBorderCount))
    const bytes = orderedBins(projection, fill.classes, { order, ctrs })
    own.forEach(({ at }, j) => fill.grower.column(block, at).set(bytes[j]!))
  })
}

function fillFinished(fill: FillPlan, validation: FeatureColumns): void {
  const { plan, classes } = fill
  plan.projections.forEach((projection, i) => {
    const table = fullTable(projection, 'Borders', { classes, columns: fill.data })
    for (const { ctr, at } of labelColumns(plan, i)) {
      const bytes = finishedBins(ctrOf(ctr, fill.options.ctrBorderCount), table, validation)
      fill.grower.column(fill.trainBlocks, at).set(bytes)
    }
  })
}

function labelColumns(plan: TrainColumns, projection: number): { ctr: CtrColumn; at: number }[] {
  const found: { ctr: CtrColumn; at: number }[] = []
  plan.columns.forEach((column, at) => {
    if (column.kind === 'ctr' && column.ctr.type === 'Borders' && column.ctr.projection === projection)
      found.push({ ctr: column.ctr, at })
  })
  return found
}
