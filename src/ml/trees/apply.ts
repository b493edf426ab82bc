import type { BinaryForest, SplitTable, SymmetricForest, TreeModel } from './model.ts'
import type { Bins } from './quantise.ts'

/** The raw values of rows, row-major by dimension: the plain implementation of the SIMD kernel, with bit-identical results. */
export function rawValues(model: TreeModel, bins: Bins): Float64Array {
  const sums = new Float64Array(bins.rows * model.dimension)
  if (model.forest.kind === 'symmetric') addSymmetric(model.forest, model, bins, sums)
  else addBinary(model.forest, model, bins, sums)
  return withScaleAndBias(model, sums)
}

/** Applies the model's scale and bias to sums of leaves, in place. */
export function withScaleAndBias(model: TreeModel, sums: Float64Array): Float64Array {
  const { dimension, scale, bias } = model
  for (let i = 0; i < sums.length; i++) sums[i] = scale * sums[i]! + bias[i % dimension]!
  return sums
}

/** The leaf each row falls into, for one symmetric tree given by its run of splits. */
export function leafIndexes(splits: SplitTable, tree: ArrayLike<number>, bins: Bins): Int32Array {
  const { bytes, rows, stride } = bins
  const leaves = new Int32Array(rows)
  for (let level = 0; level < tree.length; level++) {
    const split = tree[level]!
    const start = splits.columns[split]! * stride
    const threshold = splits.thresholds[split]!
    const flip = splits.flips[split]!
    for (let row = 0; row < rows; row++) {
      const below = ((bytes[start + row]! ^ flip) - threshold) >>> 31
      leaves[row]! |= (1 - below) << level
    }
  }
  return leaves
}

function addSymmetric(forest: SymmetricForest, model: TreeModel, bins: Bins, sums: Float64Array): void {
  const { dimension } = model
  const { leafValues } = forest
  let splitAt = 0
  let leafAt = 0
  for (const depth of forest.depths) {
    const leaves = leafIndexes(model.splits, forest.splits.subarray(splitAt, splitAt + depth), bins)
    for (let row = 0, at = 0; row < leaves.length; row++) {
      const from = leafAt + leaves[row]! * dimension
      for (let d = 0; d < dimension; d++) sums[at++]! += leafValues[from + d]!
    }
    splitAt += depth
    leafAt += dimension << depth
  }
}

function addBinary(forest: BinaryForest, model: TreeModel, bins: Bins, sums: Float64Array): void {
  const { dimension } = model
  for (const root of forest.roots) {
    for (let row = 0; row < bins.rows; row++) {
      const from = forest.left[leafNode(forest, model.splits, bins, root, row)]! * dimension
      for (let d = 0; d < dimension; d++) sums[row * dimension + d]! += forest.leafValues[from + d]!
    }
  }
}

function leafNode(forest: BinaryForest, splits: SplitTable, bins: Bins, root: number, row: number): number {
  let node = root
  for (;;) {
    const split = forest.splits[node]!
    if (split < 0) return node
    const bin = bins.bytes[splits.columns[split]! * bins.stride + row]!
    const right = (bin ^ splits.flips[split]!) >= splits.thresholds[split]!
    node = right ? forest.right[node]! : forest.left[node]!
  }
}
