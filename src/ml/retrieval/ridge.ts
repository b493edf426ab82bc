// EASE for catalogs too large to invert: each item's column is a ridge regression on its own nearest items
// alone, so time grows with the catalog and not with its cube.

import { canRun, sharedMemory } from '../kernels/load.ts'
import { bestIds } from '../top-k.ts'
import type { Cooccurrence } from './cooccurrence.ts'
import { solveSymmetric } from './solve.ts'
import { RowWriter, transposed, type Csr } from './sparse.ts'
import { runJob, type Share } from './threads.ts'

const kernelName = 'factors'
const itemsATurn = 16

export interface RidgeOptions {
  lambda: number
  /** How many nearest items each regression reads. */
  support: number
  threads: number
}

/** Sparse weights like EASE's: row i holds the weights of other items after item i. */
export async function ridgeGraph({ graph }: Cooccurrence, options: RidgeOptions): Promise<Csr> {
  const supports = supportsOf(graph, options.support)
  if (!canRun(kernelName)) return ridgePlain(graph, supports, options.lambda)
  const parts = [
    graph.offsets,
    graph.indices,
    graph.values,
    supports.offsets,
    supports.indices,
    supports.values,
  ]
  const places: number[] = []
  let bytes = 0
  for (const part of parts) {
    places.push(bytes)
    bytes += Math.ceil(part.byteLength / 64) * 64
  }
  const side = Math.ceil(options.support / 8) * 8
  const scratchBytes = Math.ceil(((side * side + side) * 4 + graph.cols * 4) / 64) * 64
  const memory = sharedMemory(bytes + 64 + scratchBytes * Math.max(1, options.threads))
  parts.forEach((part, at) => {
    new Uint8Array(memory.buffer, places[at], part.byteLength).set(
      new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
    )
  })
  const args = [graph.cols, side, options.lambda, bytes, ...places]
  const work = (supports.indices.length * side * side) / 6
  await runJob({ program: 'ridge', kernel: kernelName, memory, args, work }, ridgeShare, options.threads)
  const values = new Float32Array(memory.buffer, places[5], supports.values.length).slice()
  return transposed({ ...supports, values })
}

/** One thread's part of the regressions. */
export function ridgeShare({ thread, memory, args, call }: Share): void {
  const [items, side, lambda, turnAt, ...places] = args as [number, number, number, number, ...number[]]
  const turn = new Int32Array(memory.buffer, turnAt, 1)
  const scratchBytes = Math.ceil(((side * side + side) * 4 + items * 4) / 64) * 64
  const scratch = turnAt + 64 + scratchBytes * thread
  const marks = scratch + (side * side + side) * 4
  const [offsets, indices, values, supportOffsets, support, weights] = places as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (;;) {
    const from = Atomics.add(turn, 0, 1) * itemsATurn
    if (from >= items) return
    const to = Math.min(items, from + itemsATurn)
    call['ridgeColumns']!(
      offsets,
      indices,
      values,
      supportOffsets,
      support,
      weights,
      lambda,
      scratch,
      marks,
      from,
      to,
    )
  }
}

/** For each item the items nearest to it by cosine, without itself. */
export function supportsOf(graph: Csr, support: number): Csr {
  const writer = new RowWriter()
  const own = Float64Array.from({ length: graph.rows }, () => 0)
  for (let item = 0; item < graph.rows; item++) {
    for (let at = graph.offsets[item]!; at < graph.offsets[item + 1]!; at++) {
      if (graph.indices[at] === item) own[item] = graph.values[at]!
    }
  }
  const near = new Float64Array(graph.cols)
  for (let item = 0; item < graph.rows; item++) {
    const met = graph.indices.subarray(graph.offsets[item], graph.offsets[item + 1])
    for (let at = 0; at < met.length; at++) {
      near[met[at]!] = graph.values[graph.offsets[item]! + at]! / Math.sqrt(own[met[at]!]! || 1)
    }
    near[item] = Number.NaN
    const ids = bestIds(near, support, { candidates: met })
    writer.add(ids, new Float32Array(ids.length))
  }
  return writer.matrix(graph.cols)
}

/** The plain implementation, in f64. */
export function ridgePlain(graph: Csr, supports: Csr, lambda: number): Csr {
  const values = new Float32Array(supports.values.length)
  for (let item = 0; item < supports.rows; item++) {
    const start = supports.offsets[item]!
    const support = supports.indices.subarray(start, supports.offsets[item + 1])
    const size = support.length
    const places = new Map(Array.from(support, (id, at) => [id, at]))
    const matrix = new Float64Array(size * size)
    const vector = new Float64Array(size)
    for (let s = 0; s < size; s++) {
      for (let at = graph.offsets[support[s]!]!; at < graph.offsets[support[s]! + 1]!; at++) {
        const place = places.get(graph.indices[at]!)
        if (place !== undefined && place >= s) matrix[s * size + place] = graph.values[at]!
      }
      matrix[s * size + s]! += lambda
    }
    for (let at = graph.offsets[item]!; at < graph.offsets[item + 1]!; at++) {
      const place = places.get(graph.indices[at]!)
      if (place !== undefined) vector[place] = graph.values[at]!
    }
    values.set(solveSymmetric(matrix, vector), start)
  }
  return transposed({ ...supports, values })
}
