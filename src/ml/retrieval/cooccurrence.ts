// How often each two items met in a row: the sparse Gram matrix, by counts. Walks and ridges start from it.

import { writeBest } from './neighbours.ts'
import { RowWriter, rowSizes, transposed, type Csr } from './sparse.ts'

export interface Cooccurrence {
  /** Row i holds every item that i met, and i itself with its own weight. */
  graph: Csr
  /** How many rows hold each item. */
  counts: Int32Array
}

/** A row of d items adds d^−rowPower to each of its pairs; an item keeps its `keep` strongest pairs. */
export function cooccurrenceOf(rows: Csr, rowPower: number, keep = Number.MAX_SAFE_INTEGER): Cooccurrence {
  const columns = transposed(rows)
  const rowWeights = Float64Array.from(rowSizes(rows), (size) => (size === 0 ? 0 : size ** -rowPower))
  const met = new Float64Array(rows.cols)
  const touched = new Int32Array(rows.cols)
  const values = new Float32Array(rows.cols)
  const writer = new RowWriter()
  for (let item = 0; item < rows.cols; item++) {
    const owners = columns.indices.subarray(columns.offsets[item], columns.offsets[item + 1])
    const found = touched.subarray(0, addMet(rows, { owners, rowWeights, met, touched }))
    if (found.length <= keep) {
      found.sort()
      for (let at = 0; at < found.length; at++) values[at] = met[found[at]!]!
      writer.add(found, values.subarray(0, found.length))
    } else writeBest(writer, met, { keep, candidates: found })
    for (let at = 0; at < found.length; at++) met[found[at]!] = 0
  }
  return { graph: writer.matrix(rows.cols), counts: rowSizes(columns) }
}

const sampledItems = 1_000
/** What an item may keep, from most to least. */
const keepSteps = [4_000, 2_000, 1_000, 700, 500, 350, 250, 180, 120]

/**
 * How many pairs each item may keep, so that all items together have at most `most`: by the pairs of some items. Memory is
 * bounded by it, and the weakest pairs are lost.
 */
export function affordablePairs(rows: Csr, most: number): number {
  const columns = transposed(rows)
  const rowWeights = new Float64Array(rows.rows).fill(1)
  const met = new Float64Array(rows.cols)
  const touched = new Int32Array(rows.cols)
  const count = Math.min(sampledItems, rows.cols)
  const sizes = Array.from({ length: count }, (_, at) => {
    const item = Math.floor((at * rows.cols) / count)
    const owners = columns.indices.subarray(columns.offsets[item], columns.offsets[item + 1])
    const size = addMet(rows, { owners, rowWeights, met, touched })
    for (let place = 0; place < size; place++) met[touched[place]!] = 0
    return size
  })
  const pairs = (keep: number) =>
    (sizes.reduce((sum, size) => sum + Math.min(size, keep), 0) / count) * rows.cols
  return keepSteps.find((keep) => pairs(keep) <= most) ?? keepSteps.at(-1)!
}

interface Meeting {
  owners: Int32Array
  rowWeights: Float64Array
  /** All zero; weights are positive, so zero means not seen yet. */
  met: Float64Array
  touched: Int32Array
}

/** Adds the items of the owning rows and returns how many were found. The hottest loop, so everything is a local. */
function addMet({ offsets, indices }: Csr, { owners, rowWeights, met, touched }: Meeting): number {
  let size = 0
  for (let at = 0; at < owners.length; at++) {
    const row = owners[at]!
    const weight = rowWeights[row]!
    const end = offsets[row + 1]!
    for (let to = offsets[row]!; to < end; to++) {
      const other = indices[to]!
      const before = met[other]!
      if (before === 0) touched[size++] = other
      met[other] = before + weight
    }
  }
  return size
}
