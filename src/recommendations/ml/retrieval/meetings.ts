// How often each two items met in a row: the sparse Gram matrix, by counts. Walks and ridges start from it.

import { writeBest } from './neighbours.ts'
import { RowWriter, rowSizes, transposed, type Csr } from './sparse.ts'

export interface Meetings {
  /** Row i holds every item that i met, and i itself with its own weight. */
  graph: Csr
  /** How many rows hold each item. */
  counts: Int32Array
}

/** A row of d items adds d^−rowPower to each of its pairs; an item remembers its `keep` strongest. */
export function meetingsOf(rows: Csr, rowPower: number, keep = Number.MAX_SAFE_INTEGER): Meetings {
  const columns = transposed(rows)
  const rowWeights = Float64Array.from(rowSizes(rows), (size) => (size === 0 ? 0 : size ** -rowPower))
  const met = new Float64Array(rows.cols)
  const marked = new Uint8Array(rows.cols)
  const touched = new Int32Array(rows.cols)
  const writer = new RowWriter()
  for (let item = 0; item < rows.cols; item++) {
    let size = 0
    for (let at = columns.offsets[item]!; at < columns.offsets[item + 1]!; at++) {
      const row = columns.indices[at]!
      const weight = rowWeights[row]!
      for (let to = rows.offsets[row]!; to < rows.offsets[row + 1]!; to++) {
        const other = rows.indices[to]!
        if (marked[other] === 0) {
          marked[other] = 1
          touched[size++] = other
        }
        met[other]! += weight
      }
    }
    const found = touched.subarray(0, size)
    if (size <= keep) {
      found.sort()
      writer.add(
        found,
        Float32Array.from(found, (id) => met[id]!),
      )
    } else writeBest(writer, met, { keep, candidates: found })
    for (let at = 0; at < size; at++) {
      met[found[at]!] = 0
      marked[found[at]!] = 0
    }
  }
  return { graph: writer.matrix(rows.cols), counts: rowSizes(columns) }
}
