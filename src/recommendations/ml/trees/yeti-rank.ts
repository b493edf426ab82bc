// YetiRank: pairs of neighbours in randomly shaken orders of a query, weighed by how much their labels differ and
// by how high they stand, pushed apart with a logistic loss.
import { seededRandom } from '../random.ts'
import type { Derivation, Derivatives, Targets } from './losses.ts'

const PERMUTATIONS = 10
const DECAY = 0.85
const PAIR_SCALE = 0.15
/** Longer queries than this are sorted as a whole. */
const INSERTION_LIMIT = 200

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
      const value = powers[i]! * (u / (1.000001 - u))
      if (size <= INSERTION_LIMIT) place(i, value, order, shaken)
      else shaken[i] = value
    }
    if (size > INSERTION_LIMIT) sortFalling(order, shaken)
    addPairs({ labels, powers, order }, (query.weight * PAIR_SCALE) / PERMUTATIONS, out)
  }
}

/** Puts a row into the order of falling values of the rows before it; queries are short, so by insertion. */
function place(row: number, value: number, order: Uint32Array, values: Float64Array): void {
  let at = row
  while (at > 0 && values[at - 1]! < value) {
    values[at] = values[at - 1]!
    order[at] = order[at - 1]!
    at--
  }
  values[at] = value
  order[at] = row
}

function sortFalling(order: Uint32Array, values: Float64Array): void {
  for (let i = 0; i < order.length; i++) order[i] = i
  order.sort((left, right) => values[right]! - values[left]! || left - right)
}

interface Shaken {
  labels: Float64Array
  powers: Float64Array
  order: Uint32Array
}

/** Pushes neighbours of unlike labels apart, those higher up more. */
function addPairs({ labels, powers, order }: Shaken, first: number, out: Derivatives): void {
  const { ders, hessians, weights } = out
  let decay = first
  for (let i = 1; i < order.length; i++) {
    const upper = order[i - 1]!
    const lower = order[i]!
    const difference = labels[upper]! - labels[lower]!
    if (difference !== 0) {
      const winner = difference > 0 ? upper : lower
      const loser = difference > 0 ? lower : upper
      const weight = Math.abs(difference) * decay
      const both = powers[winner]! + powers[loser]!
      const doubt = both > 0 ? powers[loser]! / both : 0.5
      const curvature = weight * doubt * (1 - doubt)
      ders[winner]! += weight * doubt
      ders[loser]! -= weight * doubt
      hessians[winner]! += curvature
      hessians[loser]! += curvature
      weights[winner]! += weight
      weights[loser]! += weight
    }
    decay *= DECAY
  }
}
