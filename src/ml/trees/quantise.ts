import { bordersPerColumn, type FeatureColumns, type FloatFeature, type TreeModel } from './model.ts'
import { ModelError } from './model-error.ts'
import type { Keys } from './ctr-key.ts'
import { ctrValues, rowKeys, tablePositions, type CtrValues } from './ctr-table.ts'

/** Rows as byte columns, feature-major; every column is `stride` bytes long, and the padding is zero. */
export interface Bins {
  rows: number
  stride: number
  bytes: Uint8Array
}

/** Writes the bins of a feature of at most 255 borders; an engine may supply its own implementation. */
export type FeatureBins = (
  feature: { borders: Float32Array; missing: number },
  values: Float32Array,
  out: Uint8Array,
) => void

/** Optional inputs of quantising: a faster bin function, precomputed statistics, and an output buffer. */
export interface Quantising {
  featureBins: FeatureBins
  ctrs: CtrValues[]
  /** Where the bins go: all zero. */
  bytes?: Uint8Array
}

/** The values of a model's statistics, computed once for many rows. */
export function modelCtrValues(model: TreeModel): CtrValues[] {
  return model.ctrs.map((ctr) => ctrValues(ctr, model.tables[ctr.table]!))
}

/** Turns feature values into the byte columns a model's splits look at. */
export function quantiseRows(
  model: TreeModel,
  columns: FeatureColumns,
  stride = columns.rows,
  { featureBins, ctrs, bytes = new Uint8Array(model.splits.columnCount * stride) }: Quantising = {
    featureBins: plainBins,
    ctrs: modelCtrValues(model),
  },
): Bins {
  checkColumns(model, columns)
  const bins: Bins = { rows: columns.rows, stride, bytes }
  let column = 0
  model.floats.forEach((feature, i) => {
    column = writeBorders(bins, column, { feature, values: columns.floats[i]!, featureBins })
  })
  model.categoricals.forEach(({ values }, i) => {
    column = writeValues(bins, column, columns.categories[i]!, values)
  })
  const positions = tableRows(model, columns)
  model.ctrs.forEach((ctr, i) => {
    const { known, unknown } = ctrs[i]!
    const at = positions[ctr.table]!
    const values = new Float32Array(columns.rows)
    for (let row = 0; row < values.length; row++) values[row] = at[row]! < 0 ? unknown : known[at[row]!]!
    const feature = { borders: ctr.borders, nans: 'below' as const }
    column = writeBorders(bins, column, { feature, values, featureBins })
  })
  return bins
}

/** How many sorted borders lie strictly below the value; a NaN is below them all. */
export function bordersBelow(borders: Float32Array, value: number): number {
  let low = 0
  let count = borders.length
  while (count > 1) {
    const half = count >> 1
    low += Number(value > borders[low + half - 1]!) * half
    count -= half
  }
  return count === 1 ? low + Number(value > borders[low]!) : 0
}

/** The position of rows in every table; tables of the same combination share the work of making keys. */
function tableRows(model: TreeModel, columns: FeatureColumns): Int32Array[] {
  const keys = new Map<string, Keys>()
  return model.tables.map((table) => {
    const name = JSON.stringify(table.elements)
    const own = keys.get(name) ?? rowKeys(table.elements, columns, model.floats)
    keys.set(name, own)
    return tablePositions(table, own)
  })
}

function checkColumns(model: TreeModel, columns: FeatureColumns): void {
  const { floats, categories, rows } = columns
  if (floats.length < model.floats.length || categories.length < model.categoricals.length) {
    throw new ModelError(
      `The model needs ${model.floats.length} numeric and ${model.categoricals.length} categorical features, ` +
        `but ${floats.length} and ${categories.length} were given.`,
    )
  }
  for (const column of [...floats, ...categories]) {
    if (column.length < rows) throw new ModelError(`A feature has ${column.length} values for ${rows} rows.`)
  }
}

interface Bordered {
  feature: Pick<FloatFeature, 'borders' | 'nans'>
  values: Float32Array
  featureBins: FeatureBins
}

function writeBorders(bins: Bins, firstColumn: number, { feature, values, featureBins }: Bordered): number {
  const { borders } = feature
  const missing = feature.nans === 'above' ? borders.length : 0
  const chunks = Math.ceil(borders.length / bordersPerColumn)
  if (chunks === 1) {
    const from = firstColumn * bins.stride
    featureBins({ borders, missing }, values, bins.bytes.subarray(from, from + bins.rows))
    return firstColumn + 1
  }
  if (chunks === 0) return firstColumn
  for (let row = 0; row < bins.rows; row++) {
    const value = values[row]!
    const below = Number.isNaN(value) ? missing : bordersBelow(borders, value)
    for (let chunk = 0; chunk < chunks; chunk++) {
      const bin = Math.min(bordersPerColumn, Math.max(0, below - chunk * bordersPerColumn))
      bins.bytes[(firstColumn + chunk) * bins.stride + row] = bin
    }
  }
  return firstColumn + chunks
}

function plainBins(
  { borders, missing }: { borders: Float32Array; missing: number },
  values: Float32Array,
  out: Uint8Array,
): void {
  for (let row = 0; row < out.length; row++) {
    const value = values[row]!
    out[row] = Number.isNaN(value) ? missing : bordersBelow(borders, value)
  }
}

function writeValues(bins: Bins, firstColumn: number, hashes: Int32Array, values: Int32Array): number {
  const positions = new Map(Array.from(values, (value, i) => [value, i]))
  for (let row = 0; row < bins.rows; row++) {
    const position = positions.get(hashes[row]!)
    if (position === undefined) continue
    const column = firstColumn + Math.floor(position / bordersPerColumn)
    bins.bytes[column * bins.stride + row] = (position % bordersPerColumn) + 1
  }
  return firstColumn + Math.ceil(values.length / bordersPerColumn)
}
