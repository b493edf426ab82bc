import {
  columnOffsets,
  GROUP_COLUMNS,
  packing,
  type ColumnSplit,
  type Grower,
  type GrowerShape,
  type TreeStart,
} from './grower.ts'

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
  const groupCount = Math.ceil(shape.columns.length / GROUP_COLUMNS)
  const blocks = plainBlocks(shape, groupCount)
  const offsets = columnOffsets(shape.columns)
  let search: Search | undefined
  let placed = new Uint16Array(0)

  const cell = (block: number, column: number) => ({
    bytes: blocks[block]![column >> 2]!,
    sub: column & (GROUP_COLUMNS - 1),
  })
  const bitsOf = (block: number, choice: ColumnSplit, bit: number, leaves: Uint16Array) => {
    const { bytes, sub } = cell(block, choice.column)
    for (let row = 0; row < leaves.length; row++) {
      if ((bytes[row * GROUP_COLUMNS + sub]! ^ choice.flip) >= choice.threshold) leaves[row]! |= bit
    }
  }
  return {
    kind: 'plain',
    group: (block, group) => blocks[block]![group]!,
    vector: () => new Float64Array(shape.rows),
    validationVector: () => new Float64Array(shape.validationRows),
    start: (tree) => {
      search = startedSearch(tree)
    },
    scores: () => {
      const scores = new Float64Array(offsets.at(-1)!).fill(Number.NEGATIVE_INFINITY)
      const active = search!.tree.activeColumns
      shape.columns.forEach(({ bins, oneHot }, column) => {
        if (bins < 2 || (active !== undefined && groupInactive(active, column))) return
        const { bytes, sub } = cell(search!.tree.block, column)
        scores.set(columnScores(search!, { bytes, sub, bins, oneHot }), offsets[column])
      })
      return scores
    },
    split: (choice) => {
      bitsOf(search!.tree.block, choice, search!.leafCount, search!.leaves)
      search!.leafCount *= 2
    },
    placeRows: (block, splits) => {
      placed = new Uint16Array(block === shape.trainBlocks ? shape.validationRows : shape.rows)
      splits.forEach((choice, level) => bitsOf(block, choice, 1 << level, placed))
    },
    leafSums: (values, leafCount) => {
      const sums = new Float64Array(leafCount)
      for (let row = 0; row < placed.length; row++) sums[placed[row]!]! += values[row]!
      return sums
    },
    addValues: (values, approx) => {
      for (let row = 0; row < placed.length; row++) approx[row]! += values[placed[row]!]!
    },
    close: () => {},
  }
}

function groupInactive(active: Uint8Array, column: number): boolean {
  return active[column >> 2] === 0
}

function plainBlocks(shape: GrowerShape, groupCount: number): Uint8Array[][] {
  const sharedGroups = Math.floor(shape.sharedColumns / GROUP_COLUMNS)
  const first: Uint8Array[] = []
  return Array.from({ length: shape.trainBlocks + 1 }, (_, block) => {
    const rows = block === shape.trainBlocks ? shape.validationRows : shape.rows
    return Array.from({ length: groupCount }, (__, group) => {
      if (group < sharedGroups && block > 0 && block < shape.trainBlocks) return first[group]!
      const bytes = new Uint8Array(rows * GROUP_COLUMNS)
      if (block === 0) first.push(bytes)
      return bytes
    })
  })
}

function startedSearch(tree: TreeStart): Search {
  const { ders, weights, boots } = tree
  const { gradientScale, weightScale } = packing(tree)
  return {
    tree,
    gradients: ders.map((der, i) => Math.floor(der * (boots?.[i] ?? 1) * gradientScale + 0.5)),
    weights: weights.map((weight, i) => Math.floor(weight * (boots?.[i] ?? 1) * weightScale + 0.5)),
    gradientStep: 1 / gradientScale,
    weightStep: 1 / weightScale,
    leaves: new Uint16Array(ders.length),
    leafCount: 1,
  }
}

interface ScoredColumn {
  bytes: Uint8Array
  sub: number
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
  const { bytes, sub, bins } = column
  const { leaves } = search
  const gradients = new Float64Array(search.leafCount * bins)
  const weights = new Float64Array(search.leafCount * bins)
  for (let row = 0; row < leaves.length; row++) {
    if (search.weights[row] === 0) continue
    const at = leaves[row]! * bins + bytes[row * GROUP_COLUMNS + sub]!
    gradients[at]! += search.gradients[row]!
    weights[at]! += search.weights[row]!
  }
  return { gradients, weights }
}
