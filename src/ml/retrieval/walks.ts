// RP3β (Paudel and others 2017): three random steps item → row → item, with popular targets damped. The
// exponents generalise it to LinkProp and cosine: weight(i, j) = Σ_rows 1 / (size^row · n_i^from · n_j^to),
// where the rows were counted by `cooccurrenceOf` with its own exponent.

import type { Cooccurrence } from './cooccurrence.ts'
import { writeBest } from './neighbours.ts'
import { RowWriter, type Csr } from './sparse.ts'

export interface WalkOptions {
  /** 1 makes a fair step out of the item; with less, popular items of a history count more. */
  fromPower: number
  /** β: how much popular targets are damped. */
  toPower: number
  keep: number
}

/** The walk's weights as sparse rows; no item is its own neighbour. */
export function walkGraph({ graph, counts }: Cooccurrence, { fromPower, toPower, keep }: WalkOptions): Csr {
  const power = (exponent: number) =>
    Float64Array.from(counts, (count) => (count === 0 ? 0 : count ** -exponent))
  const fromWeights = power(fromPower)
  const toWeights = power(toPower)
  const weights = new Float64Array(graph.cols)
  const writer = new RowWriter()
  for (let item = 0; item < graph.rows; item++) {
    const met = graph.indices.subarray(graph.offsets[item], graph.offsets[item + 1])
    for (let at = 0; at < met.length; at++) {
      const other = met[at]!
      weights[other] = graph.values[graph.offsets[item]! + at]! * fromWeights[item]! * toWeights[other]!
    }
    weights[item] = Number.NaN
    writeBest(writer, weights, { keep, candidates: met })
  }
  return writer.matrix(graph.cols)
}
