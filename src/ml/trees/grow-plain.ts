import {
  columnOffsets,
  groupColumns,
  packing,
  type ColumnSplit,
  type Grower,
  type GrowerShape,
  type LogisticOut,
  type Measure,
  type TreeStart,
} from './grower.ts'
import { bordersBelow } from './quantise.ts'

interface Search {
  tree: TreeStart
  gradients: Float64Array
  weights: Float64Array
  gradientStep: number
  weightStep: number
  leaves: Uint16Array
  leafCount: number
}

/** The engine in plain TypeScript: every leaf's histogram from its rows, exact integers in doubles. */
export function createPlainGrower(shape: GrowerShape): Grower {
  const blocks = plainBlocks(shape)
  const offsets = columnOffsets(shape.columns)
  let search: Search | undefined
  let placed = new Uint16Array(0)
  return {
    kind: 'plain',
    column: (block, column) => blocks[block]![column]!,
    quantise: (block, column, { values, borders, missing }) => {
      const bytes = blocks[block]![column]!
      for (let row = 0; row < bytes.length; row++) {
        bytes[row] = Number.isNaN(values[row]!) ? missing : bordersBelow(borders, values[row]!)
      }
    },
    ready: () => {},
    vector: () => new Float64Array(shape.rows),
    validationVector: () => new Float64Array(shape.validationRows),
    measure: plainMeasure,
    start: (tree) => {
      search = startedSearch(tree)
    },
    scores: () => {
      const scores = new Float64Array(offsets.at(-1)!).fill(Number.NEGATIVE_INFINITY)
      const active = search!.tree.activeGroups
      shape.columns.forEach(({ bins, oneHot }, column) => {
        if (bins < 2 || active?.[Math.floor(column / groupColumns)] === 0) return
        const bytes = blocks[search!.tree.block]![column]!
        scores.set(columnScores(search!, { bytes, bins, oneHot }), offsets[column])
      })
      return scores
    },
    split: (choice) => {
      markRight(blocks[search!.tree.block]![choice.column]!, choice, search!.leafCount, search!.leaves)
      search!.leafCount *= 2
    },
    placeRows: (block, splits) => {
      placed = new Uint16Array(block === shape.trainBlocks ? shape.validationRows : shape.rows)
      splits.forEach((choice, i) => markRight(blocks[block]![choice.column]!, choice, 1 << i, placed))
    },
    leafSums: (values, leafCount) => {
      const sums = new Float64Array(leafCount)
      for (let row = 0; row < placed.length; row++) sums[placed[row]!]! += values[row]!
      return sums
    },
    addValues: (values, approx) => {
      for (let row = 0; row < placed.length; row++) approx[row]! += values[placed[row]!]!
    },
    logistic: plainLogistic,
    close: () => {},
  }
}

function markRight(bytes: Uint8Array, choice: ColumnSplit, bit: number, leaves: Uint16Array): void {
  for (let row = 0; row < leaves.length; row++) {
    if ((bytes[row]! ^ choice.flip) >= choice.threshold) leaves[row]! |= bit
  }
}

function plainBlocks(shape: GrowerShape): Uint8Array[][] {
  const blocks: Uint8Array[][] = []
  for (let block = 0; block <= shape.trainBlocks; block++) {
    const rows = block === shape.trainBlocks ? shape.validationRows : shape.rows
    blocks.push(
      shape.columns.map((_, column) =>
        column < shape.sharedColumns && block > 0 && block < shape.trainBlocks
          ? blocks[0]![column]!
          : new Uint8Array(rows),
      ),
    )
  }
  return blocks
}

function plainMeasure(
  ders: Float64Array,
  weights: Float64Array,
  bootstrapWeights: Float64Array | undefined,
): Measure {
  const sums = { gradients: 0, weights: 0, plainWeights: 0, squares: 0, wholeWeights: true }
  for (let row = 0; row < ders.length; row++) {
    const bootstrapWeight = bootstrapWeights === undefined ? 1 : bootstrapWeights[row]!
    const weight = weights[row]! * bootstrapWeight
    sums.gradients += Math.abs(ders[row]! * bootstrapWeight)
    sums.weights += weight
    sums.plainWeights += weights[row]!
    sums.squares += ders[row]! * ders[row]!
    sums.wholeWeights &&= Number.isInteger(weight)
  }
  return sums
}

function plainLogistic(approx: Float64Array, labels: Float64Array, out: LogisticOut): void {
  const { ders, hessians, weights } = out
  for (let row = 0; row < labels.length; row++) {
    const chance = 1 / (1 + steppedExp(-approx[row]!))
    ders[row] = (labels[row]! - chance) * weights[row]!
    hessians[row] = chance * (1 - chance) * weights[row]!
  }
}

function startedSearch(tree: TreeStart): Search {
  const { ders, weights, bootstrapWeights } = tree
  const { gradientScale, weightScale } = packing(tree.measure, ders.length)
  return {
    tree,
    gradients: ders.map((der, i) => Math.floor(der * (bootstrapWeights?.[i] ?? 1) * gradientScale + 0.5)),
    weights: weights.map((weight, i) =>
      Math.floor(weight * (bootstrapWeights?.[i] ?? 1) * weightScale + 0.5),
    ),
    gradientStep: 1 / gradientScale,
    weightStep: 1 / weightScale,
    leaves: new Uint16Array(ders.length),
    leafCount: 1,
  }
}

interface ScoredColumn {
  bytes: Uint8Array
  bins: number
  oneHot: boolean
}

function columnScores(search: Search, column: ScoredColumn): Float64Array {
  const { bins, oneHot } = column
  const { l2, score } = search.tree
  const histogram = columnHistogram(search, column)
  const tops = new Float64Array(bins - 1)
  const belows = new Float64Array(bins - 1)
  for (let leaf = 0; leaf < search.leafCount; leaf++) {
    const gradients = histogram.gradients.subarray(leaf * bins, (leaf + 1) * bins)
    const weights = histogram.weights.subarray(leaf * bins, (leaf + 1) * bins)
    const gradientTotal = gradients.reduce((sum, value) => sum + value, 0)
    const weightTotal = weights.reduce((sum, value) => sum + value, 0)
    if (weightTotal === 0) continue
    let gradient = 0
    let weight = 0
    for (let border = 0; border < bins - 1; border++) {
      gradient = oneHot ? gradientTotal - gradients[border + 1]! : gradient + gradients[border]!
      weight = oneHot ? weightTotal - weights[border + 1]! : weight + weights[border]!
      const g0 = gradient * search.gradientStep
      const w0 = weight * search.weightStep
      const g1 = (gradientTotal - gradient) * search.gradientStep
      const w1 = (weightTotal - weight) * search.weightStep
      const a0 = w0 > 0 ? g0 / (w0 + l2) : 0
      const a1 = w1 > 0 ? g1 / (w1 + l2) : 0
      tops[border]! += a0 * g0 + a1 * g1
      belows[border]! += a0 * a0 * w0 + a1 * a1 * w1
    }
  }
  return score === 'L2' ? tops : tops.map((top, border) => top / Math.sqrt(belows[border]! + 1e-100))
}

function columnHistogram(search: Search, column: ScoredColumn) {
  const { bytes, bins } = column
  const { leaves } = search
  const gradients = new Float64Array(search.leafCount * bins)
  const weights = new Float64Array(search.leafCount * bins)
  for (let row = 0; row < leaves.length; row++) {
    if (search.weights[row] === 0) continue
    const at = leaves[row]! * bins + bytes[row]!
    gradients[at]! += search.gradients[row]!
    weights[at]! += search.weights[row]!
  }
  return { gradients, weights }
}

const log2E = 1.4426950408889634
const ln2High = 0.6931471803691238
const ln2Low = 1.9082149292705877e-10
/** 1/13!, 1/12!, … 1/1!, 1/0!. */
const coefficients = [
  1.6059043836821613e-10, 2.08767569878681e-9, 2.505210838544172e-8, 2.755731922398589e-7,
  2.7557319223985893e-6, 2.48015873015873e-5, 1.984126984126984e-4, 1.388888888888889e-3,
  8.333333333333333e-3, 4.1666666666666664e-2, 1.6666666666666666e-1, 0.5, 1, 1,
]

/** The exponential in the same steps as the kernel, so that both engines train the same bytes. */
function steppedExp(x: number): number {
  const bounded = Math.max(-700, Math.min(700, x))
  const k = Math.floor(bounded * log2E + 0.5)
  const r = bounded - k * ln2High - k * ln2Low
  let p = coefficients[0]!
  for (let i = 1; i < coefficients.length; i++) p = p * r + coefficients[i]!
  return p * 2 ** k
}
