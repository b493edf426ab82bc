// YetiRank: pairs of neighbours in randomly shaken orders of a query, weighed by how much their labels differ and
// by how high they stand, pushed apart with a logistic loss.
import type { Derivation, Derivatives, Targets } from './losses.ts'
import { forEachQuery, pushApart, type QueryRows } from './pairs.ts'

const PERMUTATIONS = 10
const DECAY = 0.85
const PAIR_SCALE = 0.15
/** Longer queries than this are sorted as a whole. */
const INSERTION_LIMIT = 200

/** Derivatives of all queries for one draw of permutations. */
export function yetiRankDerivatives(targets: Targets, approx: Float64Array, derivation: Derivation): void {
  const { seed, out, randomOf } = derivation
  forEachQuery(targets, { approx, out }, (query) => addQuery(query, randomOf(seed, query.number)))
}

function addQuery({ labels, approx, weight, out }: QueryRows, random: () => number): void {
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
    addPairs({ labels, powers, order }, (weight * PAIR_SCALE) / PERMUTATIONS, out)
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
  let decay = first
  for (let i = 1; i < order.length; i++) {
    const upper = order[i - 1]!
    const lower = order[i]!
    const difference = labels[upper]! - labels[lower]!
    if (difference !== 0) {
      const winner = difference > 0 ? upper : lower
      const loser = difference > 0 ? lower : upper
      const both = powers[winner]! + powers[loser]!
      const doubt = both > 0 ? powers[loser]! / both : 0.5
      pushApart(out, { winner, loser, weight: Math.abs(difference) * decay, doubt })
    }
    decay *= DECAY
  }
}
