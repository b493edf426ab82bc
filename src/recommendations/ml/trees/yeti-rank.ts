// YetiRank: pairs of neighbours in randomly shaken orders of a query, weighed by how much their labels differ and
// by how high they stand, pushed apart with a logistic loss.
import { seededRandom } from '../random.ts'
import type { Derivation, Derivatives, Targets } from './losses.ts'

const PERMUTATIONS = 10
const DECAY = 0.85
const PAIR_SCALE = 0.15

/** Derivatives of all queries for one draw of permutations. */
export function yetiRankDerivatives(targets: Targets, approx: Float64Array, { seed, out }: Derivation): void {
  const queries = targets.queries!
  out.ders.fill(0)
  out.hessians.fill(0)
  out.weights.fill(0)
  for (let query = 0; query + 1 < queries.length; query++) {
    const from = queries[query]!
    const to = queries[query + 1]!
    if (to - from < 2) continue
    const weight = targets.weights === undefined ? 1 : targets.weights[from]!
    addQuery(
      { labels: targets.labels.subarray(from, to), approx: approx.subarray(from, to), weight },
      seededRandom((seed ^ Math.imul(query + 1, 0x9e3779b1)) >>> 0),
      {
        ders: out.ders.subarray(from, to),
        hessians: out.hessians.subarray(from, to),
        weights: out.weights.subarray(from, to),
      },
    )
  }
}

interface Query {
  labels: Float64Array
  approx: Float64Array
  weight: number
}

function addQuery(query: Query, random: () => number, out: Derivatives): void {
  const { labels, approx } = query
  const size = labels.length
  const shaken = new Float64Array(size)
  const order = new Uint32Array(size)
  for (let permutation = 0; permutation < PERMUTATIONS; permutation++) {
    for (let i = 0; i < size; i++) {
      const u = random()
      shaken[i] = approx[i]! + Math.log((u + 1e-12) / (1.000001 - u))
      order[i] = i
    }
    order.sort((left, right) => shaken[right]! - shaken[left]! || left - right)
    let decay = (query.weight * PAIR_SCALE) / PERMUTATIONS
    for (let i = 1; i < size; i++) {
      addPair(query, order[i - 1]!, order[i]!, decay, out)
      decay *= DECAY
    }
  }
}

function addPair({ labels, approx }: Query, first: number, second: number, decay: number, out: Derivatives) {
  const difference = labels[first]! - labels[second]!
  if (difference === 0) return
  const winner = difference > 0 ? first : second
  const loser = difference > 0 ? second : first
  const weight = Math.abs(difference) * decay
  const doubt = 1 / (1 + Math.exp(approx[winner]! - approx[loser]!))
  out.ders[winner]! += weight * doubt
  out.ders[loser]! -= weight * doubt
  const curvature = weight * doubt * (1 - doubt)
  out.hessians[winner]! += curvature
  out.hessians[loser]! += curvature
  out.weights[winner]! += weight
  out.weights[loser]! += weight
}
