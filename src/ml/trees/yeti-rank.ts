// YetiRank: pairs of neighbours in randomly shaken orders of a query, weighed by how much their labels differ and
// by how high they stand, pushed apart with a logistic loss.
import { pushApart, type Derivation, type Derivatives, type Targets } from './derivatives.ts'

const permutations = 10
const placeDecay = 0.85
const pairScale = 0.15
/** Longer queries than this are sorted as a whole. */
const insertionLimit = 200
/** Rows are rare when at most one in this many is. */
const rareShare = 8

/** Derivatives of all queries for one draw of permutations. */
export function yetiRankDerivatives(targets: Targets, approx: Float64Array, derivation: Derivation): void {
  const { labels, weights } = targets
  const { seed, out, randomOf } = derivation
  const queries = targets.queries!
  for (const vector of Object.values(out)) vector.fill(0)
  const query = roomFor(longestOf(queries))
  for (let number = 0; number + 1 < queries.length; number++) {
    const from = queries[number]!
    query.size = queries[number + 1]! - from
    if (query.size < 2) continue
    takeUp(query, { labels, approx, from, weight: weights === undefined ? 1 : weights[from]! })
    shake(query, randomOf(seed, number))
    for (let row = 0; row < query.size; row++) {
      out.ders[from + row] = query.out.ders[row]!
      out.hessians[from + row] = query.out.hessians[row]!
      out.weights[from + row] = query.out.weights[row]!
    }
  }
}

/** Buffers reused for one query after another: there are many queries per tree, and most are short. */
interface Query {
  size: number
  labels: Float64Array
  powers: Float64Array
  /** What a pair weighs by the place of its upper row. */
  decays: Float64Array
  out: Derivatives
  shaken: Float64Array
  /** Rows by falling values, as far as they were put in order, and those values. */
  order: Uint32Array
  values: Float64Array
  /** The rows whose label differs from the majority, when they are few. */
  rare: Uint32Array
  isRare: Uint8Array
}

function roomFor(size: number): Query {
  const numbers = () => new Float64Array(size)
  return {
    size,
    labels: numbers(),
    powers: numbers(),
    decays: numbers(),
    out: { ders: numbers(), hessians: numbers(), weights: numbers() },
    shaken: numbers(),
    order: new Uint32Array(size),
    values: numbers(),
    rare: new Uint32Array(size),
    isRare: new Uint8Array(size),
  }
}

function longestOf(queries: Int32Array): number {
  let longest = 0
  for (let number = 0; number + 1 < queries.length; number++)
    longest = Math.max(longest, queries[number + 1]! - queries[number]!)
  return longest
}

interface Rows {
  labels: Float64Array
  approx: Float64Array
  from: number
  weight: number
}

function takeUp(query: Query, { labels, approx, from, weight }: Rows): void {
  const { size, out } = query
  let top = Number.NEGATIVE_INFINITY
  for (let row = 0; row < size; row++) top = Math.max(top, approx[from + row]!)
  let decay = (weight * pairScale) / permutations
  for (let row = 0; row < size; row++, decay *= placeDecay) {
    query.labels[row] = labels[from + row]!
    query.powers[row] = Math.exp(Math.max(-700, approx[from + row]! - top))
    query.decays[row] = decay
    out.ders[row] = 0
    out.hessians[row] = 0
    out.weights[row] = 0
  }
}

function shake(query: Query, random: () => number): void {
  const { size, powers, shaken } = query
  const rare = takeRare(query)
  for (let permutation = 0; permutation < permutations; permutation++) {
    for (let row = 0; row < size; row++) {
      const u = random()
      shaken[row] = powers[row]! * (u / (1.000001 - u))
    }
    if (rare * rareShare <= size) aroundRare(query, rare)
    else inFullOrder(query)
  }
}

/** Finds the rows whose label differs from the majority; the count means nothing when there is no majority. */
function takeRare({ size, labels, rare, isRare }: Query): number {
  const common = majority(labels, size)
  let count = 0
  for (let row = 0; row < size; row++) {
    isRare[row] = labels[row] === common ? 0 : 1
    if (isRare[row] === 1) rare[count++] = row
  }
  return count
}

/** The majority value, if there is one (Boyer and Moore's vote). */
function majority(values: Float64Array, size: number): number {
  let candidate = values[0]!
  let votes = 0
  for (let at = 0; at < size; at++) {
    if (votes === 0) candidate = values[at]!
    votes += values[at] === candidate ? 1 : -1
  }
  return candidate
}

/** Neighbours with different labels always include a rare row, so with few rare rows only their surroundings are searched. */
function aroundRare(query: Query, count: number): void {
  for (let at = 0; at < count; at++) place(query, at, query.rare[at]!)
  for (let at = 0; at < count; at++) pushAround(query, query.order[at]!)
}

/** Pushes a rare row and the rows next to it apart; a rare row below it is handled in its own turn. */
function pushAround(query: Query, row: number): void {
  const { size, shaken } = query
  const value = shaken[row]!
  let count = 0
  let above = -1
  let below = -1
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let other = 0; other < size; other++) {
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
  if (below >= 0 && query.isRare[below] === 0) pushNeighbours(query, row, below, query.decays[count]!)
}

function inFullOrder(query: Query): void {
  const { size, order, shaken, decays } = query
  if (size > insertionLimit) sortFalling(order.subarray(0, size), shaken)
  else for (let row = 0; row < size; row++) place(query, row, row)
  for (let i = 1; i < size; i++) pushNeighbours(query, order[i - 1]!, order[i]!, decays[i - 1]!)
}

/** Puts a row into the order of falling values of the rows before it; queries are short, so by insertion. */
function place({ order, values, shaken }: Query, last: number, row: number): void {
  const value = shaken[row]!
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
