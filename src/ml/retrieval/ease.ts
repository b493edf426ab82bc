// EASE (Steck 2019): B = I − P · diag(1 / diag P) with P the inverse of the Gram matrix plus λ. Exact, and
// therefore for the head of a catalog: the side is the number of items and the time its cube.

import { invert, workspaceFor } from './inverse.ts'
import { writeBest } from './neighbours.ts'
import { RowWriter, rowOf, type Csr } from './sparse.ts'
import { addTo, cell, copyRow, type Triangle } from './triangle.ts'

/** Past this side the inverse takes minutes; `ridge.ts` and `walks.ts` carry larger catalogs. */
export const easeMaxItems = 13_000

export interface EaseOptions {
  lambda: number
  /** How many neighbours each item keeps, those of the largest weight of either sign. */
  keep: number
  /** A row of d items weighs d^−damping: above 0, buyers of many items count less. */
  damping: number
  threads: number
}

/** The weights B as sparse rows: row i holds the weights of other items after item i. */
export async function easeGraph(rows: Csr, options: EaseOptions): Promise<Csr> {
  if (rows.cols > easeMaxItems)
    throw new RangeError(`EASE is for at most ${easeMaxItems} items, not ${rows.cols}`)
  const workspace = workspaceFor(rows.cols)
  addGram(rows, options.damping, workspace.triangle)
  for (let item = 0; item < rows.cols; item++) addTo(workspace.triangle, item, item, options.lambda)
  await invert(workspace, options.threads)
  return prunedWeights(workspace.triangle, options.keep)
}

/** Adds how often two items share a row: the Gram matrix by counts. */
export function addGram(rows: Csr, damping: number, triangle: Triangle): void {
  for (let row = 0; row < rows.rows; row++) {
    const items = rowOf(rows, row)
    const weight = damping === 0 ? 1 : items.length ** -damping
    for (let a = 0; a < items.length; a++) {
      for (let b = 0; b <= a; b++) addTo(triangle, items[a]!, items[b]!, weight)
    }
  }
}

function prunedWeights(inverse: Triangle, keep: number): Csr {
  const { size, tiles } = inverse
  const writer = new RowWriter()
  const weights = new Float32Array(size)
  const sizes = new Float32Array(size)
  const diagonal = Float32Array.from({ length: size }, (_, at) => tiles[cell(at, at)]!)
  for (let item = 0; item < size; item++) {
    copyRow(inverse, item, weights)
    for (let other = 0; other < size; other++) {
      weights[other] = -weights[other]! / diagonal[other]!
      sizes[other] = Math.abs(weights[other]!)
    }
    sizes[item] = Number.NaN
    writeBest(writer, weights, { keep, by: sizes })
  }
  return writer.matrix(size)
}
