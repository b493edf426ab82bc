// YetiRank: pairs of neighbours in randomly shaken orders of a query, weighed by how much their labels differ and
// by how high they stand, pushed apart with a logistic loss.
import type { Derivation, Derivatives, Targets } from './losses.ts'
import { forEachQuery, pushApart, type QueryRows } from './pairs.ts'

const PERMUTATIONS = 10
const DECAY = 0.85
const PAIR_SCALE = 0.15
/** Longer queries than this are sorted as a whole. */
const INSERTION_LIMIT = 200
/** Rows are rare when at most one in so many is. */
const RARE = 8

/** Derivatives of all queries for one draw of permutations. */
export function yetiRankDerivatives(targets: Targets, approx: Float64Array, derivation: Derivation): void {
  const { seed, out, randomOf } = derivation
  forEachQuery(targets, { approx, out }, (query) => addQuery(query, randomOf(seed, query.number)))
}

function addQuery({ labels, approx, weight, out }: QueryRows, random: () => number): void {
  const size = labels.length
  const top = approx.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const powers = approx.map((value) => Math.exp(Math.max(-700, value - top)))
  const query = { labels, powers, decays: decaysFrom((weight * PAIR_SCALE) / PERMUTATIONS, size), out }
  const rare = rareRows(labels)
  const pushes = rare.length * RARE <= size ? aroundRare(query, rare) : inFullOrder(query)
  const shaken = new Float64Array(size)
  for (let permutation = 0; permutation < PERMUTATIONS; permutation++) {
    for (let i = 0; i < size; i++) {
      const u = random()
      shaken[i] = powers[i]! * (u / (1.000001 - u))
    }
    pushes(shaken)
  }
}

interface Query {
  labels: Float64Array
  powers: Float64Array
  /** What a pair weighs by the place of its upper row. */
  decays: Float64Array
  out: Derivatives
}

function decaysFrom(first: number, size: number): Float64Array {
  const decays = new Float64Array(size)
  for (let place = 0, decay = first; place < size; place++, decay *= DECAY) decays[place] = decay
  return decays
}

/** The rows that have another label than most. */
function rareRows(labels: Float64Array): Uint32Array {
  const counts = new Map<number, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  let common = labels[0]!
  for (const [label, count] of counts) if (count > counts.get(common)!) common = label
  return Uint32Array.from(labels.keys().filter((row) => labels[row] !== common))
}

/** Unlike neighbours are a rare row and another: where there are few, only what stands around them is looked for. */
function aroundRare(query: Query, rare: Uint32Array): (shaken: Float64Array) => void {
  const order = new Uint32Array(rare.length)
  const values = new Float64Array(rare.length)
  const isRare = new Uint8Array(query.labels.length)
  for (const row of rare) isRare[row] = 1
  return (shaken) => {
    for (const [at, row] of rare.entries()) place(at, { row, value: shaken[row]! }, order, values)
    for (const row of order) pushAround(query, row, { shaken, isRare })
  }
}

/** Pushes a rare row and the rows next to it apart; one below it that is rare itself has its own turn. */
function pushAround(
  query: Query,
  row: number,
  { shaken, isRare }: { shaken: Float64Array; isRare: Uint8Array },
): void {
  const value = shaken[row]!
  let count = 0
  let above = -1
  let below = -1
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let other = 0; other < shaken.length; other++) {
    const it = shaken[other]!
    if (it > value || (it === value && other < row)) {
      count++
      if (it <= least) {
        least = it
        above = other
      }
    } else if (it > most && other !== row) {
      most = it
      below = other
    }
  }
  if (above >= 0) pushNeighbours(query, above, row, query.decays[count - 1]!)
  if (below >= 0 && isRare[below] === 0) pushNeighbours(query, row, below, query.decays[count]!)
}

function inFullOrder(query: Query): (shaken: Float64Array) => void {
  const size = query.labels.length
  const order = new Uint32Array(size)
  const values = new Float64Array(size)
  return (shaken) => {
    if (size > INSERTION_LIMIT) sortFalling(order, shaken)
    else for (let row = 0; row < size; row++) place(row, { row, value: shaken[row]! }, order, values)
    for (let i = 1; i < size; i++) pushNeighbours(query, order[i - 1]!, order[i]!, query.decays[i - 1]!)
  }
}

/** Puts a row into the order of falling values of the rows before it; queries are short, so by insertion. */
function place(
  last: number,
  { row, value }: { row: number; value: number },
  order: Uint32Array,
  values: Float64Array,
): void {
  let at = last
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

/** Pushes neighbours of unlike labels apart. */
function pushNeighbours({ labels, powers, out }: Query, upper: number, lower: number, decay: number): void {
  const difference = labels[upper]! - labels[lower]!
  if (difference === 0) return
  const [winner, loser] = difference > 0 ? [upper, lower] : [lower, upper]
  const both = powers[winner]! + powers[loser]!
  const doubt = both > 0 ? powers[loser]! / both : 0.5
  pushApart(out, { winner, loser, weight: Math.abs(difference) * decay, doubt })
}
