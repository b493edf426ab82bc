// A random forest: deep trees of any shape, each on a bag of whole queries and with few features to choose from at
// every node. Its errors differ from those of boosted trees, so a combination ranks better than either alone.
import { seededRandom } from '../random.ts'
import { featureBorders } from './borders.ts'
import { splitTable, type BinaryForest, type TreeModel } from './model.ts'
import { quantiseRows, type Bins } from './quantise.ts'
import type { TrainData } from './train.ts'

export interface ForestOptions {
  trees: number
  /** A leaf holds at least this many rows, or the share of all rows below, whichever is more. */
  leastRows: number
  leastShare: number
  /** The share of features drawn at every node. */
  featureShare: number
  /** The share of queries in each tree's bag. */
  bagShare: number
  borderCount: number
  seed: number
}

export const forestOptions: ForestOptions = {
  trees: 300,
  leastRows: 5,
  leastShare: 0.001,
  featureShare: 0.1,
  bagShare: 0.63,
  borderCount: 64,
  seed: 0,
}

const maxBins = 256

/** Grows a forest on numeric features. */
export function trainForest(
  data: TrainData,
  given: Partial<ForestOptions> = {},
  shouldContinue: (grown: number) => boolean = () => true,
): TreeModel {
  const options = { ...forestOptions, ...given }
  const model = emptyModel(data, options)
  const bins = quantiseRows(model, data.columns)
  const growth = forestGrowth(data, { bins, splits: model.splits, options })
  const random = seededRandom(options.seed)
  const nodes: Nodes = { splits: [], left: [], right: [], values: [], weights: [] }
  const roots: number[] = []
  while (roots.length < options.trees && (roots.length === 0 || shouldContinue(roots.length))) {
    roots.push(growTree(growth, nodes, random))
  }
  return { ...model, scale: 1 / roots.length, forest: forestOf(roots, nodes) }
}

function emptyModel({ columns, floatNames }: TrainData, { borderCount }: ForestOptions): TreeModel {
  const floats = columns.floats.map((values, feature) => ({
    name: floatNames?.[feature] ?? '',
    flatIndex: feature,
    borders: featureBorders(values, borderCount, 'Min'),
    nans: 'below' as const,
    hasNans: values.some(Number.isNaN),
  }))
  return {
    floats,
    categoricals: [],
    ctrs: [],
    tables: [],
    splits: splitTable(floats, [], []),
    dimension: 1,
    scale: 1,
    bias: new Float64Array(1),
    forest: forestOf([], { splits: [], left: [], right: [], values: [], weights: [] }),
    info: { trainer: 'bozor' },
  }
}

/** State shared by all trees of a forest. */
interface ForestGrowth {
  bins: Bins
  /** The first split of every byte column. */
  firstSplits: Uint32Array
  targets: Float64Array
  queries: Int32Array
  bagShare: number
  drawn: number
  leastRows: number
  /** The bag's rows, node by node, and room to part them. */
  rows: Int32Array
  spare: Int32Array
  counts: Float64Array
  sums: Float64Array
}

function forestGrowth(
  { labels, queries, columns }: TrainData,
  { bins, splits, options }: { bins: Bins; splits: TreeModel['splits']; options: ForestOptions },
): ForestGrowth {
  const firstSplits = new Uint32Array(splits.columnCount)
  splits.columns.forEach((column, split) => {
    if (splits.thresholds[split] === 1) firstSplits[column] = split
  })
  const bounds = queries ?? Int32Array.from({ length: columns.rows + 1 }, (_, row) => row)
  return {
    bins,
    firstSplits,
    targets: queries === undefined ? labels : relativeLabels(labels, queries),
    queries: bounds,
    bagShare: options.bagShare,
    drawn: Math.ceil(splits.columnCount * options.featureShare),
    leastRows: Math.max(options.leastRows, Math.ceil(columns.rows * options.leastShare)),
    rows: new Int32Array(columns.rows),
    spare: new Int32Array(columns.rows),
    counts: new Float64Array(maxBins),
    sums: new Float64Array(maxBins),
  }
}

/**
 * How far labels lie above their query's mean, by the root of its best: between counting every row alike and every
 * query alike.
 */
function relativeLabels(labels: Float64Array, queries: Int32Array): Float64Array {
  const targets = new Float64Array(labels.length)
  for (let query = 0; query + 1 < queries.length; query++) {
    const own = labels.subarray(queries[query], queries[query + 1])
    const mean = own.reduce((sum, label) => sum + label, 0) / own.length
    const best = own.reduce((most, label) => Math.max(most, label), 0)
    const scale = best > 0 ? 1 / Math.sqrt(best) : 0
    own.forEach((label, i) => (targets[queries[query]! + i] = (label - mean) * scale))
  }
  return targets
}

interface Nodes {
  splits: number[]
  left: number[]
  right: number[]
  values: number[]
  weights: number[]
}

/** A run of the bag's rows that fell into one node. */
interface Node {
  from: number
  to: number
  sum: number
}

function growTree(growth: ForestGrowth, nodes: Nodes, random: () => number): number {
  const root = nodes.splits.length
  const waiting = [{ at: added(nodes), node: drawBag(growth, random) }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, node } = next
    const choice = bestSplit(growth, node, random)
    if (choice === undefined) {
      nodes.left[at] = nodes.values.length
      nodes.weights.push(node.to - node.from)
      nodes.values.push(node.sum / Math.max(1, node.to - node.from))
      continue
    }
    const middle = parted(growth, node, choice)
    nodes.splits[at] = growth.firstSplits[choice.column]! + choice.bin
    nodes.left[at] = added(nodes)
    nodes.right[at] = added(nodes)
    waiting.push({
      at: nodes.right[at]!,
      node: { from: middle, to: node.to, sum: node.sum - choice.leftSum },
    })
    waiting.push({ at: nodes.left[at]!, node: { from: node.from, to: middle, sum: choice.leftSum } })
  }
  return root
}

function added(nodes: Nodes): number {
  nodes.left.push(0)
  nodes.right.push(0)
  return nodes.splits.push(-1) - 1
}

/** A random sample of whole queries; all rows when none is drawn. */
function drawBag({ queries, bagShare, rows, targets }: ForestGrowth, random: () => number): Node {
  let size = 0
  let sum = 0
  const take = (row: number) => {
    rows[size++] = row
    sum += targets[row]!
  }
  for (let query = 0; query + 1 < queries.length; query++) {
    if (random() >= bagShare) continue
    for (let row = queries[query]!; row < queries[query + 1]!; row++) take(row)
  }
  if (size === 0) targets.forEach((_, row) => take(row))
  return { from: 0, to: size, sum }
}

/** Rows whose bin is at most this one go left. */
interface Choice {
  column: number
  bin: number
  leftSum: number
}

function bestSplit(growth: ForestGrowth, node: Node, random: () => number): Choice | undefined {
  const { drawn, leastRows, counts, sums, firstSplits } = growth
  const size = node.to - node.from
  if (size < 2 * leastRows) return undefined
  let best: Choice | undefined
  let highest = (node.sum * node.sum) / size + 1e-12
  for (let draw = 0; draw < drawn; draw++) {
    const column = Math.floor(random() * firstSplits.length)
    const last = countBins(growth, node, column)
    let count = 0
    let sum = 0
    for (let bin = 0; bin <= last; bin++) {
      count += counts[bin]!
      sum += sums[bin]!
      counts[bin] = 0
      sums[bin] = 0
      if (count < leastRows || size - count < leastRows) continue
      const score = (sum * sum) / count + (node.sum - sum) ** 2 / (size - count)
      if (score <= highest) continue
      highest = score
      best = { column, bin, leftSum: sum }
    }
  }
  return best
}

/** Sums the node's rows by bin; returns the last bin that holds any. */
function countBins({ bins, rows, targets, counts, sums }: ForestGrowth, node: Node, column: number): number {
  const start = column * bins.stride
  let last = 0
  for (let at = node.from; at < node.to; at++) {
    const row = rows[at]!
    const bin = bins.bytes[start + row]!
    counts[bin]! += 1
    sums[bin]! += targets[row]!
    if (bin > last) last = bin
  }
  return last
}

/** Puts the node's left rows before its right rows, both in their order; returns where the right ones begin. */
function parted({ bins, rows, spare }: ForestGrowth, node: Node, { column, bin }: Choice): number {
  const start = column * bins.stride
  let left = node.from
  let right = 0
  for (let at = node.from; at < node.to; at++) {
    const row = rows[at]!
    if (bins.bytes[start + row]! <= bin) rows[left++] = row
    else spare[right++] = row
  }
  rows.set(spare.subarray(0, right), left)
  return left
}

function forestOf(roots: number[], { splits, left, right, values, weights }: Nodes): BinaryForest {
  return {
    kind: 'binary',
    roots: Uint32Array.from(roots),
    splits: Int32Array.from(splits),
    left: Uint32Array.from(left),
    right: Uint32Array.from(right),
    leafValues: Float64Array.from(values),
    leafWeights: Float64Array.from(weights),
  }
}
