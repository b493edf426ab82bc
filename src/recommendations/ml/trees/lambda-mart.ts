// LambdaMART: every pair of unlike labels in a query is pushed apart with a logistic loss, weighed by how much
// NDCG would change if the two changed places.
import type { Derivation, Derivatives, Targets } from './losses.ts'

/** Only pairs that touch the first places count. */
const TRUNCATION = 15

/** Derivatives of all queries at the present order of their rows. */
export function lambdaMartDerivatives(targets: Targets, approx: Float64Array, { out }: Derivation): void {
  const queries = targets.queries!
  out.ders.fill(0)
  out.hessians.fill(0)
  out.weights.fill(0)
  for (let query = 0; query + 1 < queries.length; query++) {
    const from = queries[query]!
    const to = queries[query + 1]!
    const order = Int32Array.from({ length: to - from }, (_, i) => from + i).sort(
      (left, right) => approx[right]! - approx[left]! || left - right,
    )
    const weight = targets.weights === undefined ? 1 : targets.weights[from]!
    addPairs({ labels: targets.labels, approx, order, weight }, out)
  }
}

interface Ordered {
  labels: Float64Array
  approx: Float64Array
  order: Int32Array
  weight: number
}

function addPairs({ labels, approx, order, weight }: Ordered, out: Derivatives): void {
  const { ders, hessians, weights } = out
  const places = Math.min(TRUNCATION, order.length)
  for (let i = 0; i < places; i++) {
    const upper = order[i]!
    for (let j = i + 1; j < order.length; j++) {
      const lower = order[j]!
      const gain = 2 ** labels[upper]! - 2 ** labels[lower]!
      if (gain === 0) continue
      const winner = gain > 0 ? upper : lower
      const loser = gain > 0 ? lower : upper
      const change = 1 / Math.log2(i + 2) - 1 / Math.log2(j + 2)
      const pairWeight = Math.abs(gain) * change * weight
      const doubt = 1 / (1 + Math.exp(approx[winner]! - approx[loser]!))
      const curvature = pairWeight * doubt * (1 - doubt)
      ders[winner]! += pairWeight * doubt
      ders[loser]! -= pairWeight * doubt
      hessians[winner]! += curvature
      hessians[loser]! += curvature
      weights[winner]! += pairWeight
      weights[loser]! += pairWeight
    }
  }
}
