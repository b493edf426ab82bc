// Ordered target statistics: a row's statistic is made of the rows before it in a random order, so that its own
// label never leaks into its feature. The finished model keeps the statistics of all rows.
import { shuffled } from '../random.ts'
import type { Keys } from './ctr-key.ts'
import { featureBorders } from './borders.ts'
import { ctrTable, ctrValue, firstSlot, rowKeys, tableCapacity, tablePositions } from './ctr-table.ts'
import type { Ctr, CtrElement, CtrTable, CtrType, FeatureColumns } from './model.ts'
import { bordersBelow } from './quantise.ts'

/** A combination of categorical features, and for every row the number of its combined value. */
export interface Projection {
  features: number[]
  ids: Int32Array
  /** The key of every distinct value. */
  keys: Keys
}

/** One statistic of a projection as a byte column. */
export interface CtrColumn {
  projection: number
  type: Extract<CtrType, 'Borders' | 'Counter'>
  prior: number
  /** Of a counter whose values are the counts themselves. */
  counts?: { borders: Float32Array; scale: number }
}

const borderPriors = [0, 0.5, 1]
const nearlyUnique = 0.98
const smallCounts = 64
/** The weight of the first row of an order relative to the mean; that of the last is as far above the mean. */
const firstRowWeight = 0.1

/** Combinations of the features up to a size, smaller first, at most `limit` of them. */
export function combinations(features: number[], size: number, limit: number): number[][] {
  const found: number[][] = []
  const extend = (chosen: number[], from: number, left: number): void => {
    if (found.length >= limit) return
    if (left === 0) {
      found.push(chosen)
      return
    }
    for (let i = from; i < features.length; i++) extend([...chosen, features[i]!], i + 1, left - 1)
  }
  for (let count = 1; count <= Math.min(size, features.length); count++) extend([], 0, count)
  return found
}

/** Numbers the distinct combined values of the rows in order of first sight. */
export function projectionOf(features: number[], columns: FeatureColumns): Projection {
  const keys = rowKeys(elementsOf(features), columns, [])
  const capacity = tableCapacity(columns.rows)
  const slots = new Int32Array(capacity).fill(-1)
  const ids = new Int32Array(columns.rows)
  const firstRows: number[] = []
  for (let row = 0; row < columns.rows; row++) {
    const low = keys.low[row]!
    const high = keys.high[row]!
    let at = firstSlot(low, high, capacity)
    let id = slots[at]!
    while (id !== -1 && (keys.low[firstRows[id]!] !== low || keys.high[firstRows[id]!] !== high)) {
      at = (at + 1) & (capacity - 1)
      id = slots[at]!
    }
    if (id === -1) {
      id = firstRows.push(row) - 1
      slots[at] = id
    }
    ids[row] = id
  }
  return {
    features,
    ids,
    keys: {
      low: Uint32Array.from(firstRows, (row) => keys.low[row]!),
      high: Uint32Array.from(firstRows, (row) => keys.high[row]!),
    },
  }
}

/** Whether hardly any value occurs twice, so that a statistic would have no information. */
export function isNearlyUnique({ ids, keys }: Projection): boolean {
  return keys.low.length > nearlyUnique * ids.length
}

/**
 * Projections that divide the rows differently. Of those that divide them alike, whose statistics are the same, the first
 * is kept: it has the fewest features, so it knows most of the new rows.
 */
export function differingProjections(projections: Projection[]): Projection[] {
  const kept: Projection[] = []
  for (const projection of projections) {
    if (!kept.some((other) => dividesAlike(other, projection))) kept.push(projection)
  }
  return kept
}

function dividesAlike(left: Projection, right: Projection): boolean {
  return left.keys.low.length === right.keys.low.length && left.ids.every((id, row) => id === right.ids[row])
}

/** The statistics kept of each projection: the mean label under three priors, and how often the value comes. */
export function columnsOfProjection(projection: number): CtrColumn[] {
  const borders = borderPriors.map((prior): CtrColumn => ({ projection, type: 'Borders', prior }))
  return [...borders, { projection, type: 'Counter', prior: 0 }]
}

function elementsOf(features: number[]): CtrElement[] {
  return features.map((feature) => ({ kind: 'category', feature }))
}

/** The borders of a statistic's column: just below whole numbers after scaling. */
export function ctrBorders(count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => i + 0.999999)
}

/** A CTR without its table, to compute values with. */
export function ctrOf(column: CtrColumn, borderCount: number, table = 0): Ctr {
  return {
    type: column.type,
    table,
    targetBorder: 0,
    priorNumerator: column.prior,
    priorDenominator: 1,
    shift: 0,
    scale: column.counts?.scale ?? borderCount,
    borders: column.counts?.borders ?? ctrBorders(borderCount),
  }
}

/** The bin of a statistic from its counts: how many borders lie strictly below its value. */
export function ctrBin(ctr: Ctr, numerator: number, denominator: number): number {
  return bordersBelow(ctr.borders, ctrValue(ctr, numerator, denominator))
}

/**
 * A counter of the other rows with the same value, with borders where rows differ: most counts are small, and even
 * borders do not tell them apart.
 */
export function fineCounter(counter: CtrColumn, { ids, keys }: Projection, borderCount: number): CtrColumn {
  const counts = new Int32Array(keys.low.length)
  for (let row = 0; row < ids.length; row++) counts[ids[row]!]!++
  const most = counts.reduce((highest, count) => Math.max(highest, count), 0)
  const others = Float32Array.from(ids, (id) => counts[id]! - 1)
  return { ...counter, counts: { borders: featureBorders(others, borderCount), scale: most + 1 } }
}

/** Bins of a statistic for small counts, found once: `positive` of `total` stands at total × smallCounts + positive. */
export function smallCountBins(ctr: Ctr): Uint8Array {
  const bins = new Uint8Array(smallCounts * smallCounts)
  for (let total = 0; total < smallCounts; total++) {
    for (let positive = 0; positive <= total; positive++)
      bins[total * smallCounts + positive] = ctrBin(ctr, positive, total)
  }
  return bins
}

export interface OrderedStatistic {
  ctr: Ctr
  small: Uint8Array
}

/** Bytes of the label statistics of a projection, one column for each prior, in the order of a permutation. */
export function orderedBins(
  projection: Projection,
  classes: Uint8Array,
  plan: { order: Int32Array; statistics: OrderedStatistic[] },
): Uint8Array[] {
  const { ids } = projection
  const { order } = plan
  const positives = new Int32Array(ids.length)
  const totals = new Int32Array(ids.length)
  countBefore(projection, classes, { order, positives, totals })
  return plan.statistics.map(({ ctr, small }) => {
    const bins = new Uint8Array(ids.length)
    for (let row = 0; row < bins.length; row++) {
      const total = totals[row]!
      const positive = positives[row]!
      bins[row] = total < smallCounts ? small[total * smallCounts + positive]! : ctrBin(ctr, positive, total)
    }
    return bins
  })
}

/** For every row, how many rows of its value came before it, and how many of those were of the upper class. */
function countBefore(
  { ids, keys }: Projection,
  classes: Uint8Array,
  out: { order: Int32Array; positives: Int32Array; totals: Int32Array },
): void {
  const { order, positives, totals } = out
  const seen = new Int32Array(keys.low.length)
  const seenPositives = new Int32Array(keys.low.length)
  for (let i = 0; i < order.length; i++) {
    const row = order[i]!
    const id = ids[row]!
    totals[row] = seen[id]!
    positives[row] = seenPositives[id]!
    seen[id]!++
    seenPositives[id]! += classes[row]!
  }
}

/** An order of rows for a block's statistics. */
export function blockOrder(rows: number, seed: number, block: number): Int32Array {
  return shuffled(rows, (seed + Math.imul(block + 1, 0x85ebca6b)) >>> 0)
}

/** Weights of rows by how much of the others their statistics know: the later in the block's order, the more. */
export function orderWeights(rows: number, seed: number, block: number): Float64Array {
  const weights = new Float64Array(rows)
  blockOrder(rows, seed, block).forEach((row, at) => {
    weights[row] = firstRowWeight + 2 * (1 - firstRowWeight) * ((at + 0.5) / rows)
  })
  return weights
}

/** The statistics of all training rows, as the finished model keeps them. */
export function fullTable(projection: Projection, type: CtrColumn['type'], classes: Uint8Array): CtrTable {
  const { ids, keys } = projection
  const stride = type === 'Counter' ? 1 : 2
  const stats = new Float64Array(keys.low.length * stride)
  for (let row = 0; row < ids.length; row++) {
    stats[ids[row]! * stride + (type === 'Counter' ? 0 : classes[row]!)]!++
  }
  const denominator = type === 'Counter' ? stats.reduce((most, count) => Math.max(most, count), 0) : 0
  return ctrTable(elementsOf(projection.features), keys, { stride, stats, denominator })
}

/** Where rows of another table stand among a projection's values, −1 where a value is new. */
export function positionsOf(table: CtrTable, columns: FeatureColumns): Int32Array {
  return tablePositions(table, rowKeys(table.elements, columns, []))
}

/**
 * Bytes of a finished statistic at positions of its table; unknown keys have counts of nothing. A counter may leave
 * out the row that asks.
 */
export function finishedBins(ctr: Ctr, table: CtrTable, positions: Int32Array, leftOut = 0): Uint8Array {
  const { stats, stride, denominator } = table
  const counter = ctr.type === 'Counter'
  const known = Uint8Array.from({ length: stats.length / stride }, (_, key) => {
    if (counter) return ctrBin(ctr, stats[key]! - leftOut, denominator)
    const positive = stats[key * stride + 1]!
    return ctrBin(ctr, positive, positive + stats[key * stride]!)
  })
  const unknown = ctrBin(ctr, 0, counter ? denominator : 0)
  const bins = new Uint8Array(positions.length)
  for (let row = 0; row < bins.length; row++) {
    const position = positions[row]!
    bins[row] = position < 0 ? unknown : known[position]!
  }
  return bins
}
