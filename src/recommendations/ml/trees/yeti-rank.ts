// YetiRank: pairs of neighbours in randomly shaken orders of a query, weighed by how much their labels differ and
// by how high they stand, pushed apart with a logistic loss.
import { seededRandom } from '../random.ts'
import type { Derivation, Derivatives, Targets } from './losses.ts'

const PERMUTATIONS = 10
const DECAY = 0.85
const PAIR_SCALE = 0.15
const INSERTION_LIMIT = 100

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
  const top = approx.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const powers = approx.map((value) => Math.exp(Math.max(-700, value - top)))
  const shaken = new Float64Array(size)
  const order = new Uint32Array(size)
  for (let permutation = 0; permutation < PERMUTATIONS; permutation++) {
    for (let i = 0; i < size; i++) {
      const u = random()
      shaken[i] = powers[i]! * (u / (1.000001 - u))
    }
    sortDescending(order, shaken)
    let decay = (query.weight * PAIR_SCALE) / PERMUTATIONS
    for (let i = 1; i < size; i++) {
      addPair({ labels, powers }, order[i - 1]!, order[i]!, decay, out)
      decay *= DECAY
    }
  }
}

/** Rows by falling value, ties by row; queries are short, so by insertion. */
function sortDescending(order: Uint32Array, values: Float64Array): void {
  if (order.length > INSERTION_LIMIT) {
    for (let i = 0; i < order.length; i++) order[i] = i
    order.sort((left, right) => values[right]! - values[left]! || left - right)
    return
  }
  for (let i = 0; i < order.length; i++) {
    const value = values[i]!
    let at = i
    while (at > 0 && values[order[at - 1]!]! < value) {
      order[at] = order[at - 1]!
      at--
    }
    order[at] = i
  }
}

interface Powers {
  labels: Float64Array
  powers: Float64Array
}

function addPair(
  { labels, powers }: Powers,
  first: number,
  second: number,
  decay: number,
  out: Derivatives,
): void {
  const difference = labels[first]! - labels[second]!
  if (difference === 0) return
  const winner = difference > 0 ? first : second
  const loser = difference > 0 ? second : first
  const weight = Math.abs(difference) * decay
  const both = powers[winner]! + powers[loser]!
  const doubt = both > 0 ? powers[loser]! / both : 0.5
  out.ders[winner]! += weight * doubt
  out.ders[loser]! -= weight * doubt
  const curvature = weight * doubt * (1 - doubt)
  out.hessians[winner]! += curvature
  out.hessians[loser]! += curvature
  out.weights[winner]! += weight
  out.weights[loser]! += weight
}
