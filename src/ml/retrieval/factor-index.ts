// The items with the largest dot product, without a scan of all of them (an inverted file). Items lie in cells of similar
// direction, and only the cells that suit the query are read, besides the items of the largest norm, which are the likeliest
// answers of any query. ADR 0094 has its recall.

import { canRun, kernelCalls, kernelModule, sharedMemory } from '../kernels/load.ts'
import { shuffled } from '../random.ts'
import { type Ranked, topK } from '../top-k.ts'
import { canScanCodes, factorScan } from './factor-scan.ts'

/** Up to this many items all of them are scanned. */
export const exactItems = 100_000

export interface FactorIndex {
  /** The mean row of each cell; the first cell has the largest items and is always read. */
  centroids: Float32Array
  /** Cell c holds the items members[offsets[c]] … members[offsets[c + 1] − 1]. */
  offsets: Int32Array
  members: Int32Array
}

const kernelName = 'factors'
const alwaysRead = 4_096
const rounds = 6
const sampledPerCell = 32
/** The share of the cells that a query reads. */
const readShare = 1 / 12

/** The index of factors, where there are too many for a scan. */
export const factorIndexOf = (items: Float32Array, k: number): FactorIndex | undefined =>
  items.length / k > exactItems ? factorIndex(items, k) : undefined

/** The same for the same items. */
export function factorIndex(items: Float32Array, k: number, seed = 1): FactorIndex {
  const count = items.length / k
  const norms = Float64Array.from({ length: count }, (_, item) => Math.sqrt(squareOf(items, item, k)))
  const largest = topK(norms, Math.min(alwaysRead, count)).ids.toSorted()
  const isLargest = new Uint8Array(count)
  for (const item of largest) isLargest[item] = 1
  const others = Int32Array.from({ length: count }, (_, item) => item).filter((item) => isLargest[item] === 0)
  const cells = Math.max(1, Math.round(Math.sqrt(others.length)))
  const directions = directionsOf(items, norms, { others, cells, k, seed })
  const nearest = nearestBy(directions, k)
  const cellOf = Int32Array.from(others, (item) => 1 + nearest(items, item))
  const offsets = new Int32Array(cells + 2)
  offsets[1] = largest.length
  for (const cell of cellOf) offsets[cell + 1]! += 1
  for (let cell = 1; cell <= cells; cell++) offsets[cell + 1]! += offsets[cell]!
  const next = offsets.slice()
  const members = new Int32Array(count)
  members.set(largest)
  others.forEach((item, at) => (members[next[cellOf[at]!]!++] = item))
  return { centroids: meansOf(items, { offsets, members }, k), offsets, members }
}

/** The sum of the outer products of all rows. */
export function gramOf(rows: Float32Array, k: number): Float64Array {
  const out = new Float64Array(k * k)
  for (let from = 0; from < rows.length; from += k) {
    for (let i = 0; i < k; i++) {
      const value = rows[from + i]!
      if (value !== 0) for (let j = i; j < k; j++) out[i * k + j]! += value * rows[from + j]!
    }
  }
  for (let i = 0; i < k; i++) for (let j = 0; j < i; j++) out[i * k + j] = out[j * k + i]!
  return out
}

const squareOf = (rows: Float32Array, row: number, k: number): number => {
  let sum = 0
  for (let at = row * k; at < (row + 1) * k; at++) sum += rows[at]! * rows[at]!
  return sum
}

interface Clustering {
  others: Int32Array
  cells: number
  k: number
  seed: number
}

/** Unit vectors that a sample of the items gathers around: spherical k-means. */
function directionsOf(
  items: Float32Array,
  norms: Float64Array,
  { others, cells, k, seed }: Clustering,
): Float32Array {
  const sample = shuffled(others.length, seed)
    .subarray(0, cells * sampledPerCell)
    .map((at) => others[at]!)
  let directions = new Float32Array(cells * k)
  for (let cell = 0; cell < cells; cell++) {
    const item = sample[cell % Math.max(1, sample.length)] ?? 0
    for (let at = 0; at < k; at++)
      directions[cell * k + at] = items[item * k + at]! / Math.max(norms[item] ?? 0, 1e-12)
  }
  for (let round = 0; round < rounds; round++) {
    const nearest = nearestBy(directions, k)
    const sums = new Float32Array(cells * k)
    for (const item of sample) {
      const cell = nearest(items, item)
      const scale = 1 / Math.max(norms[item]!, 1e-12)
      for (let at = 0; at < k; at++) sums[cell * k + at]! += items[item * k + at]! * scale
    }
    for (let cell = 0; cell < cells; cell++) {
      const norm = Math.sqrt(squareOf(sums, cell, k))
      // A cell without items keeps its direction.
      for (let at = 0; at < k; at++)
        sums[cell * k + at] = norm > 0 ? sums[cell * k + at]! / norm : directions[cell * k + at]!
    }
    directions = sums
  }
  return directions
}

/** The row of the largest dot product with an item; the first of equal ones. */
function nearestBy(directions: Float32Array, k: number): (items: Float32Array, item: number) => number {
  const dots = dotsWith(directions, k)
  const cells = directions.length / k
  return (items, item) => {
    const products = dots(items.subarray(item * k, (item + 1) * k), 0, cells)
    let best = 0
    for (let cell = 1; cell < cells; cell++) if (products[cell]! > products[best]!) best = cell
    return best
  }
}

function meansOf(
  items: Float32Array,
  { offsets, members }: Pick<FactorIndex, 'offsets' | 'members'>,
  k: number,
): Float32Array {
  const means = new Float32Array((offsets.length - 1) * k)
  for (let cell = 0; cell + 1 < offsets.length; cell++) {
    const size = offsets[cell + 1]! - offsets[cell]!
    for (let place = offsets[cell]!; place < offsets[cell + 1]!; place++)
      for (let at = 0; at < k; at++) means[cell * k + at]! += items[members[place]! * k + at]! / size
  }
  return means
}

type Dots = (query: Float32Array, from: number, count: number) => Float32Array

/** The dot products of a query with some rows; the answer is a view that the next call overwrites. */
export function dotsWith(rows: Float32Array, k: number): Dots {
  const total = rows.length / k
  if (!canRun(kernelName) || k % 8 !== 0)
    return (query, from, count) =>
      Float32Array.from({ length: count }, (_, row) => plainDot(query, rows, (from + row) * k))
  const memory = sharedMemory((rows.length + total + k) * 4)
  const calls = kernelCalls(kernelModule(kernelName), memory)
  const [outAt, queryAt] = [rows.length * 4, (rows.length + total) * 4]
  new Float32Array(memory.buffer, 0, rows.length).set(rows)
  const out = new Float32Array(memory.buffer, outAt, total)
  const slot = new Float32Array(memory.buffer, queryAt, k)
  return (query, from, count) => {
    slot.set(query)
    calls['dots']!(queryAt, from * k * 4, count, k, outAt)
    return out.subarray(0, count)
  }
}

function plainDot(query: Float32Array, rows: Float32Array, from: number): number {
  let sum = 0
  for (let at = 0; at < query.length; at++) sum += query[at]! * rows[from + at]!
  return sum
}

/** The best items for a query; with an index an approximation. */
export type FactorSearch = (query: Float32Array, most: number) => Ranked

export function factorSearch(items: Float32Array, k: number, index?: FactorIndex): FactorSearch {
  if (canScanCodes(k)) return codedSearch(items, k, index)
  const count = items.length / k
  if (!index) {
    const dots = dotsWith(items, k)
    return (query, most) => topK(dots(query, 0, count), most)
  }
  const { offsets, members } = index
  const nearestCells = cellFinder(index, k)
  const inCells = new Float32Array(items.length)
  members.forEach((item, place) => inCells.set(items.subarray(item * k, (item + 1) * k), place * k))
  const dots = dotsWith(inCells, k)
  const scores = new Float32Array(count)
  const found = new Int32Array(count)
  return (query, most) => {
    let size = 0
    const read = (cell: number) => {
      const start = offsets[cell]!
      const products = dots(query, start, offsets[cell + 1]! - start)
      for (let at = 0; at < products.length; at++) {
        found[size++] = members[start + at]!
        scores[members[start + at]!] = products[at]!
      }
    }
    nearestCells(query).forEach(read)
    return topK(scores, most, { candidates: found, count: size })
  }
}

/** The same lists as of all products. */
function codedSearch(items: Float32Array, k: number, index: FactorIndex | undefined): FactorSearch {
  const scan = factorScan(items, k, index)
  const groupsFor = index ? cellFinder(index, k) : () => [0]
  return (query, most) => scan(query, most, groupsFor(query))
}

/** The cells that a query reads: that of the largest items, then those nearest to the query. */
function cellFinder(
  { centroids, offsets }: FactorIndex,
  k: number,
): (query: Float32Array) => readonly number[] {
  const cells = offsets.length - 1
  const reads = Math.max(1, Math.ceil(cells * readShare))
  const dots = dotsWith(centroids, k)
  return (query) => [0, ...topK(dots(query, 0, cells), reads, { skip: (cell) => cell === 0 }).ids]
}
