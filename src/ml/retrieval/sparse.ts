// Sparse rows (CSR): who touched what. Rows are buyers, baskets or sessions; columns are items.

export interface Csr {
  rows: number
  cols: number
  /** Row r holds the entries offsets[r] … offsets[r + 1] − 1. */
  offsets: Int32Array
  indices: Int32Array
  values: Float32Array
}

/** A matrix of ones: an item that a row names twice counts once, and each row is sorted by item. */
export function binaryRows(lists: ArrayLike<ArrayLike<number>>, cols: number): Csr {
  const sorted: Int32Array[] = []
  const offsets = new Int32Array(lists.length + 1)
  for (let row = 0; row < lists.length; row++) {
    const unique = Int32Array.from(new Set(Array.from(lists[row]!))).toSorted()
    const [first = 0] = unique
    const last = unique[unique.length - 1] ?? 0
    if (first < 0 || last >= Math.max(1, cols))
      throw new RangeError(`row ${row} names an item outside 0 … ${cols - 1}`)
    sorted.push(unique)
    offsets[row + 1] = offsets[row]! + unique.length
  }
  const indices = new Int32Array(offsets[lists.length]!)
  for (let row = 0; row < sorted.length; row++) indices.set(sorted[row]!, offsets[row]!)
  return { rows: lists.length, cols, offsets, indices, values: new Float32Array(indices.length).fill(1) }
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

/** Rows of unequal length, gathered one after another, as one matrix. */
export class RowWriter {
  #offsets: number[] = [0]
  #indices: Int32Array = new Int32Array(1024)
  #values: Float32Array = new Float32Array(1024)
  #size = 0

  add(ids: ArrayLike<number>, values: ArrayLike<number>): void {
    const needed = this.#size + ids.length
    if (needed > this.#indices.length) this.#grow(needed)
    this.#indices.set(ids, this.#size)
    this.#values.set(values, this.#size)
    this.#size = needed
    this.#offsets.push(needed)
  }

  matrix(cols: number): Csr {
    return {
      rows: this.#offsets.length - 1,
      cols,
      offsets: Int32Array.from(this.#offsets),
      indices: this.#indices.slice(0, this.#size),
      values: this.#values.slice(0, this.#size),
    }
  }

  #grow(needed: number): void {
    const room = Math.max(needed, this.#indices.length * 2)
    const indices = new Int32Array(room)
    indices.set(this.#indices)
    const values = new Float32Array(room)
    values.set(this.#values)
    this.#indices = indices
    this.#values = values
  }
}
