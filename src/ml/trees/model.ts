// What a trained forest is. Features are compared only through splits, and a split only through a byte column:
// a row goes right when (bin XOR flip) >= threshold, which serves borders, one-hot values and CTRs alike.

/** A numeric feature: bin = how many borders lie strictly below the value. */
export interface FloatFeature {
  name: string
  flatIndex: number
  borders: Float32Array
  /** Where a missing value falls: below every border or above every border. */
  nans: 'below' | 'above'
  hasNans: boolean
}

/** A categorical feature and the hashes its one-hot splits ask for. */
export interface CategoricalFeature {
  name: string
  flatIndex: number
  values: Int32Array
}

export const ctrTypes = [
  'Borders',
  'Buckets',
  'BinarizedTargetMeanValue',
  'FloatTargetMeanValue',
  'Counter',
  'FeatureFreq',
] as const
export type CtrType = (typeof ctrTypes)[number]

/** One thing a CTR's key is made of. */
export type CtrElement =
  | { kind: 'category'; feature: number }
  | { kind: 'border'; feature: number; border: number }
  | { kind: 'value'; feature: number; value: number }

/** Statistics by key: `stride` numbers for each known key, found through open addressing on 64-bit keys. */
export interface CtrTable {
  elements: CtrElement[]
  denominator: number
  stride: number
  stats: Float64Array
  keysLow: Uint32Array
  keysHigh: Uint32Array
  slots: Int32Array
}

/** A target statistic turned into a numeric feature. */
export interface Ctr {
  type: CtrType
  table: number
  targetBorder: number
  priorNumerator: number
  priorDenominator: number
  shift: number
  scale: number
  borders: Float32Array
}

/** Every split the model may use, in CatBoost's running order; `column` is a byte column of quantised rows. */
export interface SplitTable {
  columns: Uint16Array
  thresholds: Uint8Array
  flips: Uint8Array
  columnCount: number
}

/** Trees whose levels share one split: the split results form the leaf number, the first split is the lowest bit. */
export interface SymmetricForest {
  kind: 'symmetric'
  depths: Uint8Array
  splits: Uint32Array
  leafValues: Float64Array
  leafWeights: Float64Array
}

/** Trees of any shape as nodes; a leaf has split −1 and keeps its leaf number in `left`. */
export interface BinaryForest {
  kind: 'binary'
  roots: Uint32Array
  splits: Int32Array
  left: Uint32Array
  right: Uint32Array
  leafValues: Float64Array
  leafWeights: Float64Array
}

/** A whole model: result = scale × (sum of leaves in tree order) + bias, for each dimension. */
export interface TreeModel {
  floats: FloatFeature[]
  categoricals: CategoricalFeature[]
  ctrs: Ctr[]
  tables: CtrTable[]
  splits: SplitTable
  dimension: number
  scale: number
  bias: Float64Array
  forest: SymmetricForest | BinaryForest
  /** The file's own metadata, unchanged. */
  info: Record<string, unknown>
}

/** The features a split may name. */
export interface KnownFeatures {
  floats: FloatFeature[]
  categoricals: CategoricalFeature[]
  ctrs: Ctr[]
  tables: CtrTable[]
}

/** Rows to evaluate, feature by feature; categories are hashes of `categoryHash`. */
export interface FeatureColumns {
  rows: number
  floats: readonly Float32Array[]
  categories: readonly Int32Array[]
}

/** How many splits one byte column can tell apart. */
export const bordersPerColumn = 255

/** Assigns byte columns to splits: a feature of more than 255 borders or values takes several columns. */
export function splitTable(
  floats: readonly { borders: ArrayLike<number> }[],
  categoricals: readonly { values: ArrayLike<number> }[],
  ctrs: readonly { borders: ArrayLike<number> }[],
): SplitTable {
  const columns: number[] = []
  const thresholds: number[] = []
  const flips: number[] = []
  let column = 0
  const place = (count: number, oneHot: boolean) => {
    for (let i = 0; i < count; i++) {
      const step = (i % bordersPerColumn) + 1
      columns.push(column + Math.floor(i / bordersPerColumn))
      thresholds.push(oneHot ? 255 : step)
      flips.push(oneHot ? 255 - step : 0)
    }
    column += Math.ceil(count / bordersPerColumn)
  }
  for (const { borders } of floats) place(borders.length, false)
  for (const { values } of categoricals) place(values.length, true)
  for (const { borders } of ctrs) place(borders.length, false)
  return {
    columns: Uint16Array.from(columns),
    thresholds: Uint8Array.from(thresholds),
    flips: Uint8Array.from(flips),
    columnCount: column,
  }
}
