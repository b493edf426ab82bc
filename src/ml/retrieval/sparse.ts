// Sparse rows (CSR): who touched what. Rows are buyers, baskets or sessions; columns are items.

import { flatSequences, type GivenSequences } from './sequences.ts'

export interface Csr {
  rows: number
  cols: number
  /** Row r holds the entries offsets[r] … offsets[r + 1] − 1. */
  offsets: Int32Array
  indices: Int32Array
  values: Float32Array
}

/** A matrix of ones: an item that a row names twice counts once, and each row is sorted by item. */
export function binaryRows(given: GivenSequences, cols: number): Csr {
  const { length, offsets: starts, items } = flatSequences(given)
  const sorted = items.slice()
  const offsets = new Int32Array(length + 1)
  let size = 0
  for (let row = 0; row < length; row++) {
    const [start, end] = [starts[row]!, starts[row + 1]!]
    if (end - start > 1) sorted.subarray(start, end).sort()
    if (end > start && (sorted[start]! < 0 || sorted[end - 1]! >= Math.max(1, cols)))
      throw new RangeError(`row ${row} names an item outside 0 … ${cols - 1}`)
    // Rows only move forward, so one array is enough.
    for (let at = start; at < end; at++)
      if (at === start || sorted[at] !== sorted[size - 1]) sorted[size++] = sorted[at]!
    offsets[row + 1] = size
  }
  const indices = sorted.slice(0, size)
  return { rows: length, cols, offsets, indices, values: new Float32Array(size).fill(1) }
}

/** The same entries by column; inside a column, rows stand in order. */
export function transposed({ rows, cols, offsets, indices, values }: Csr): Csr {
  const starts = new Int32Array(cols + 1)
  for (const col of indices) starts[col + 1]! += 1
  for (let col = 0; col < cols; col++) starts[col + 1]! += starts[col]!
  const next = starts.slice()
  const outIndices = new Int32Array(indices.length)
  const outValues = new Float32Array(indices.length)
  for (let row = 0; row < rows; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const to = next[indices[at]!]!++
      outIndices[to] = row
      outValues[to] = values[at]!
    }
  }
  return { rows: cols, cols: rows, offsets: starts, indices: outIndices, values: outValues }
}

/** How many entries every row holds. */
export function rowSizes({ rows, offsets }: Csr): Int32Array {
  return Int32Array.from({ length: rows }, (_, row) => offsets[row + 1]! - offsets[row]!)
}

/** A row's items, as a view. */
export function rowOf(matrix: Csr, row: number): Int32Array {
  return matrix.indices.subarray(matrix.offsets[row], matrix.offsets[row + 1])
}

/** Frees the memory of an array at once. */
const release = ({ buffer }: Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>): void =>
  void buffer.transfer(0)

const firstBlock = 1 << 10
const largestBlock = 1 << 20

interface Block {
  indices: Int32Array<ArrayBuffer>
  values: Float32Array<ArrayBuffer>
  size: number
}

/** Rows of unequal length, gathered one after another in blocks, as one matrix. The writer is empty afterwards. */
export class RowWriter {
  #offsets: number[] = [0]
  readonly #blocks: Block[] = []

  add(ids: ArrayLike<number>, values: ArrayLike<number>): void {
    const block = this.#blockFor(ids.length)
    block.indices.set(ids, block.size)
    block.values.set(values, block.size)
    block.size += ids.length
    this.#offsets.push(this.#offsets.at(-1)! + ids.length)
  }

  matrix(cols: number): Csr {
    const size = this.#offsets.at(-1)!
    const indices = new Int32Array(size)
    const values = new Float32Array(size)
    let to = 0
    for (const block of this.#blocks.splice(0)) {
      indices.set(block.indices.subarray(0, block.size), to)
      values.set(block.values.subarray(0, block.size), to)
      to += block.size
      // Else the blocks of a large matrix take as much memory as the matrix until garbage is collected.
      release(block.indices)
      release(block.values)
    }
    const offsets = Int32Array.from(this.#offsets)
    this.#offsets = [0]
    return { rows: offsets.length - 1, cols, offsets, indices, values }
  }

  #blockFor(count: number): Block {
    const last = this.#blocks.at(-1)
    if (last && last.size + count <= last.indices.length) return last
    const room = Math.max(count, Math.min(largestBlock, 2 * (last?.indices.length ?? firstBlock)))
    const next = { indices: new Int32Array(room), values: new Float32Array(room), size: 0 }
    this.#blocks.push(next)
    return next
  }
}
