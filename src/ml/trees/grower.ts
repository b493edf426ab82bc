// The interface of the engine that grows symmetric trees. It has two implementations, the kernel and the plain implementation,
// which give identical bits because gradients and weights are rounded to integers before anything is summed.

/** A byte column as the search sees it: its bins, and whether its splits ask for equality with one bin. */
export interface ColumnShape {
  bins: number
  oneHot: boolean
}

/** A chosen split: a row goes right when (bin XOR flip) >= threshold. */
export interface ColumnSplit {
  column: number
  threshold: number
  flip: number
}

export type ScoreFunction = 'L2' | 'Cosine'

/** The number and sizes of the engine's tables. */
export interface GrowerShape {
  columns: ColumnShape[]
  /** Rows of every block; all training blocks have the same rows, differing only in columns that are not shared. */
  rows: number
  trainBlocks: number
  /** Columns up to this one are the same in every training block. */
  sharedColumns: number
  validationRows: number
  maxDepth: number
  threads: number
}

/** What one tree's search is made on. */
export interface TreeStart {
  block: number
  ders: Float64Array
  weights: Float64Array
  bootstrapWeights: Float64Array | undefined
  measure: Measure
  l2: number
  score: ScoreFunction
  activeGroups: Uint8Array | undefined
}

/** Sums over all rows that scale a search. */
export interface Measure {
  gradients: number
  weights: number
  /** The sum of weights without the bootstrap. */
  plainWeights: number
  squares: number
  wholeWeights: boolean
}

export interface Grower {
  kind: 'kernel' | 'plain'
  /** The bytes of a column of a block, to be filled; the validation block comes last. */
  column(block: number, column: number): Uint8Array
  /** Fills a column with bins of numeric values. */
  quantise(
    block: number,
    column: number,
    feature: { values: Float32Array; borders: Float32Array; missing: number },
  ): void
  /** Says that all columns are filled. */
  ready(): void
  /** A vector of numbers in the engine's own memory. */
  vector(): Float64Array
  validationVector(): Float64Array
  measure(ders: Float64Array, weights: Float64Array, bootstrapWeights: Float64Array | undefined): Measure
  /** Begins a tree. */
  start(tree: TreeStart): void
  /** The score of every border of every column if all leaves were split by it; see `columnOffsets`. */
  scores(): Float64Array
  /** Splits every leaf. */
  split(choice: ColumnSplit): void
  /** Computes the leaf number of every row of a block; the methods below use it. */
  placeRows(block: number, splits: ColumnSplit[]): void
  /** Sums of a vector by leaf, in row order. */
  leafSums(values: Float64Array, leafCount: number): Float64Array
  /** Adds its leaf's value to every row of a vector. */
  addValues(values: Float64Array, approx: Float64Array): void
  /** First and second derivatives of the logistic loss. */
  logistic(approx: Float64Array, labels: Float64Array, out: LogisticOut): void
  close(): void
}

export interface LogisticOut {
  ders: Float64Array
  hessians: Float64Array
  weights: Float64Array
}

/** Columns in a group: one 64-bit word a row. */
export const groupColumns = 8

/** Where each column's bins begin when the bins of all columns stand in one row; padding columns have one bin. */
export function columnOffsets(columns: ColumnShape[]): Uint32Array {
  const padded = Math.ceil(columns.length / groupColumns) * groupColumns
  const offsets = new Uint32Array(padded + 1)
  for (let i = 0; i < padded; i++) offsets[i + 1] = offsets[i]! + (columns[i]?.bins ?? 1)
  return offsets
}

/** How gradients and weights become integers: their steps, and how many low bits hold the sum of weights. */
export interface Packing {
  bits: number
  gradientScale: number
  weightScale: number
}

const totalBits = 62
const maxGradientBits = 51

/** Chooses steps so that no sum over all rows can overflow; whole weights stay exact. */
export function packing({ gradients, weights, wholeWeights }: Measure, rows: number): Packing {
  const weightBits = Math.max(1, Math.ceil(Math.log2(weights + 2)))
  const spare = totalBits - 2 * Math.max(weightBits, Math.ceil(Math.log2(rows + 2)))
  const fraction = wholeWeights ? 0 : Math.max(2, Math.min(20, Math.floor(spare / 3)))
  const bits = weightBits + fraction + 1
  const gradientBits = Math.min(maxGradientBits, totalBits - bits)
  const gradientScale = 2 ** (gradientBits - 1 - Math.ceil(Math.log2(Math.max(gradients, 1e-300))))
  return { bits, gradientScale: Math.min(gradientScale, 2 ** 200), weightScale: 2 ** fraction }
}
