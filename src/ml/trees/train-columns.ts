// The byte columns a training looks at: one for each numeric feature, each small categorical feature, and each
// statistic of each combination of the larger ones. Columns that are the same in every block come first.
import { featureBorders } from './borders.ts'
import {
  blockOrder,
  columnsOfProjection,
  combinations,
  ctrOf,
  differingProjections,
  fineCounter,
  finishedBins,
  fullTable,
  isNearlyUnique,
  orderedBins,
  positionsOf,
  projectionOf,
  smallCountBins,
  type CtrColumn,
  type Projection,
} from './ctr-columns.ts'
import type { ColumnShape, Grower } from './grower.ts'
import type { FeatureColumns } from './model.ts'
import type { TrainOptions } from './train-options.ts'

const maxBorderSample = 200_000
/** Exact counts of combinations of more features distract more than they report (ADR 0093). */
const maxFineCounted = 2

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
  const all = combinations(large, options.maxCtrComplexity, options.maxCtrTables)
    .map((features) => projectionOf(features, data))
    .filter((projection) => !isNearlyUnique(projection))
  const projections = options.matchNewRows ? differingProjections(all) : all
  const ctrs = projections.flatMap((_, i) => columnsOfProjection(i))
  for (const ctr of ctrs) {
    if (ctr.type !== 'Counter') continue
    columns.push({ kind: 'ctr', ctr })
    const projection = projections[ctr.projection]!
    if (!options.matchNewRows || projection.features.length > maxFineCounted) continue
    const fine = fineCounter(ctr, projection, options.borderCount)
    if (fine.counts!.borders.length > 0) columns.push({ kind: 'ctr', ctr: fine })
  }
  const sharedCount = columns.length
  for (const ctr of ctrs) if (ctr.type === 'Borders') columns.push({ kind: 'ctr', ctr })
  return { columns, sharedCount, projections }
}

/** Borders of a very long feature are found on evenly spaced values of it. */
function sampled(values: Float32Array): Float32Array {
  if (values.length <= maxBorderSample) return values
  const step = values.length / maxBorderSample
  const sample = new Float32Array(maxBorderSample)
  for (let i = 0; i < sample.length; i++) sample[i] = values[Math.floor(i * step)]!
  return sample
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
  return { bins: (column.ctr.counts?.borders.length ?? options.ctrBorderCount) + 1, oneHot: false }
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
  const { plan, trainBlocks, validation } = fill
  plan.columns.forEach((column, at) => {
    if (column.kind === 'ctr') return
    fillPlain(fill, { column, at, block: 0, data: fill.data })
    if (validation !== undefined) fillPlain(fill, { column, at, block: trainBlocks, data: validation })
  })
  const orders = Array.from({ length: trainBlocks }, (_, block) => {
    return plan.projections.length === 0
      ? new Int32Array(0)
      : blockOrder(fill.data.rows, fill.options.seed, block)
  })
  const smalls = new Map<number, Uint8Array>()
  plan.projections.forEach((_, projection) => fillProjection(fill, projection, { orders, smalls }))
  fill.grower.ready()
}

interface PlainFill {
  column: Exclude<TrainColumn, { kind: 'ctr' }>
  at: number
  block: number
  data: FeatureColumns
}

function fillPlain({ grower, options }: FillPlan, { column, at, block, data }: PlainFill): void {
  if (column.kind === 'float') {
    const { borders } = column
    const missing = options.nanMode === 'Max' ? borders.length : 0
    grower.quantise(block, at, { values: data.floats[column.feature]!, borders, missing })
  } else {
    const numbers = new Map(Array.from(column.values, (value, i) => [value, i + 1]))
    const hashes = data.categories[column.feature]!
    grower.column(block, at).set(Uint8Array.from(hashes, (hash) => numbers.get(hash) ?? 0))
  }
}

/** The columns of one projection: finished statistics on validation rows, ordered ones on each training block. */
function fillProjection(
  fill: FillPlan,
  number: number,
  { orders, smalls }: { orders: Int32Array[]; smalls: Map<number, Uint8Array> },
): void {
  const { plan, grower, options, classes, trainBlocks, validation } = fill
  const projection = plan.projections[number]!
  const own = ctrColumnsOf(plan, number)
  const tables = {
    Counter: fullTable(projection, 'Counter', classes),
    Borders: fullTable(projection, 'Borders', classes),
  }
  const positions = validation === undefined ? undefined : positionsOf(tables.Borders, validation)
  for (const { ctr, at } of own) {
    const whole = ctrOf(ctr, options.ctrBorderCount)
    const table = tables[ctr.type]
    if (ctr.type === 'Counter') {
      const leftOut = ctr.counts === undefined ? 0 : 1
      grower.column(0, at).set(finishedBins(whole, table, projection.ids, leftOut))
    }
    if (positions !== undefined) grower.column(trainBlocks, at).set(finishedBins(whole, table, positions))
  }
  const labels = own.filter(({ ctr }) => ctr.type === 'Borders')
  const statistics = labels.map(({ ctr }) => {
    const whole = ctrOf(ctr, options.ctrBorderCount)
    const small = smalls.get(ctr.prior) ?? smallCountBins(whole)
    smalls.set(ctr.prior, small)
    return { ctr: whole, small }
  })
  orders.forEach((order, block) => {
    const bytes = orderedBins(projection, classes, { order, statistics })
    labels.forEach(({ at }, i) => grower.column(block, at).set(bytes[i]!))
  })
}

function ctrColumnsOf(plan: TrainColumns, projection: number): { ctr: CtrColumn; at: number }[] {
  return plan.columns.flatMap((column, at) =>
    column.kind === 'ctr' && column.ctr.projection === projection ? [{ ctr: column.ctr, at }] : [],
  )
}
