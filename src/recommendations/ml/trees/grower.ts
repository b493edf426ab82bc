// What growing a symmetric tree asks of its engine. Two engines keep this promise, the kernel and its plain twin,
// and they agree bit by bit, because gradients and weights are rounded to integers before anything is summed.

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

/** How many and how large the engine's tables must be. */
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
  boots: Float64Array | undefined
  l2: number
  score: ScoreFunction
  activeColumns: Uint8Array | undefined
}

export interface Grower {
  kind: 'kernel' | 'plain'
  /** The bytes of a block's group of four columns, four bytes a row; the validation block comes last. */
  group(block: number, group: number): Uint8Array
  /** A vector of numbers in the engine's own memory. */
  vector(): Float64Array
  validationVector(): Float64Array
  /** Begins a tree. */
  start(tree: TreeStart): void
  /** The score of every border of every column if all leaves were split by it; see `columnOffsets`. */
  scores(): Float64Array
  /** Splits every leaf. */
  split(choice: ColumnSplit): void
  /** Numbers the leaf of every row of a block, for the calls below. */
  placeRows(block: number, splits: ColumnSplit[]): void
  /** Sums of a vector by leaf, in row order. */
  leafSums(values: Float64Array, leafCount: number): Float64Array
  /** Adds its leaf's value to every row of a vector. */
  addValues(values: Float64Array, approx: Float64Array): void
  close(): void
}

/** Columns in a group: one 32-bit word a row. */
export const GROUP_COLUMNS = 4

/** Where each column's bins begin when the bins of all columns stand in one row; padding columns have one bin. */
export function columnOffsets(columns: ColumnShape[]): Uint32Array {
  const padded = Math.ceil(columns.length / GROUP_COLUMNS) * GROUP_COLUMNS
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

const TOTAL_BITS = 62
const MAX_GRADIENT_BITS = 51

/** Chooses steps so that no sum over all rows can overflow; whole weights stay exact. */
export function packing(tree: TreeStart): Packing {
  const { ders, weights, boots } = tree
  let gradients = 0
  let weightSum = 0
  let whole = true
  for (let i = 0; i < ders.length; i++) {
    const boot = boots === undefined ? 1 : boots[i]!
    const weight = weights[i]! * boot
    gradients += Math.abs(ders[i]! * boot)
    weightSum += weight
    whole &&= Number.isInteger(weight)
  }
  const weightBits = Math.max(1, Math.ceil(Math.log2(weightSum + 2)))
  const spare = TOTAL_BITS - 2 * Math.max(weightBits, Math.ceil(Math.log2(ders.length + 2)))
  const fraction = whole ? 0 : Math.max(2, Math.min(20, Math.floor(spare / 3)))
  const bits = weightBits + fraction + 1
  const gradientBits = Math.min(MAX_GRADIENT_BITS, TOTAL_BITS - bits)
  const span = Math.max(gradients, 1e-300)
  const gradientScale = 2 ** (gradientBits - 1 - Math.ceil(Math.log2(span)))
  return { bits, gradientScale: Math.min(gradientScale, 2 ** 200), weightScale: 2 ** fraction }
}
