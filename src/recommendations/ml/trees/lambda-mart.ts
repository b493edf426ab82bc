// LambdaMART: every pair of unlike labels in a query is pushed apart with a logistic loss, weighed by how much
// NDCG would change if the two changed places.
import { idealGainAt } from '../metrics.ts'
import type { Derivation, Targets } from './losses.ts'
import { forEachQuery, pushApart, type QueryRows } from './pairs.ts'

const NDCG_DEPTH = 10
/** Only pairs that touch the first places count. */
const TRUNCATION = 15

/** Derivatives of all queries at the present order of their rows. */
export function lambdaMartDerivatives(targets: Targets, approx: Float64Array, { out }: Derivation): void {
  forEachQuery(targets, { approx, out }, (query) => {
    const ideal = idealGainAt(query.labels, NDCG_DEPTH)
    if (ideal > 0) addPairs(query, query.weight / ideal)
  })
}

function addPairs({ labels, approx, out }: QueryRows, scale: number): void {
  const order = Int32Array.from(labels.keys()).sort((a, b) => approx[b]! - approx[a]! || a - b)
  const gains = labels.map((label) => 2 ** label * scale)
  const discounts = Float64Array.from(order.keys(), (place) => 1 / Math.log2(place + 2))
  const places = Math.min(TRUNCATION, order.length)
  for (let i = 0; i < places; i++) {
    const upper = order[i]!
    for (let j = i + 1; j < order.length; j++) {
      const lower = order[j]!
      const gain = gains[upper]! - gains[lower]!
      if (gain === 0) continue
      const winner = gain > 0 ? upper : lower
      const loser = gain > 0 ? lower : upper
      const weight = Math.abs(gain) * (discounts[i]! - discounts[j]!)
      const doubt = 1 / (1 + Math.exp(approx[winner]! - approx[loser]!))
      pushApart(out, { winner, loser, weight, doubt })
    }
  }
}
