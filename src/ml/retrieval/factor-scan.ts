// The rows with the largest dot product, exactly, without the product of every row. Rows are kept a second time in codes of
// one byte, the largest rows first. The product of the codes and what the codes leave out bound the product of a row, so only
// the few rows that can still be among the best are multiplied as floats; and no row is read once its norm is too small.

import { canRun, kernelCalls, kernelModule, sharedMemory } from '../kernels/load.ts'
import { BestKeeper, type Ranked } from '../top-k.ts'

const [kernelName, termBytes, foundBytes] = ['scan', 16, 8]
/** Rows between two looks at the least score that is still wanted. */
const rowsAtOnce = 256
/** A query of a norm outside is compared with every row: products of its steps are not exact. */
const [smallestNorm, largestNorm] = [1e-10, 1e14]
const largestCode = 127
const largestWord = 32_767

/** Places from … to; the rows of each range lie in the order of their norms. */
export type PlaceRange = readonly [from: number, to: number]

/** The best rows for a query among those of some ranges. It owns buffers, so threads must not share it. */
export type FactorScan = (query: Float32Array, most: number, ranges: readonly PlaceRange[]) => Ranked

export const canScanCodes = (k: number): boolean => k % 8 === 0 && canRun(kernelName)

/** `members` are the rows by place and `offsets` where groups of places begin; one group of all rows when left out. */
export function factorScan(
  items: Float32Array,
  k: number,
  groups?: { offsets: Int32Array; members: Int32Array },
): FactorScan {
  const count = items.length / k
  const sizes = {
    items: items.byteLength,
    order: count * 4,
    norms: count * 4,
    terms: count * termBytes,
    codes: count * k,
    query: k * 4,
    words: k * 2,
    found: rowsAtOnce * foundBytes,
  }
  const places = { ...sizes }
  let bytes = 0
  for (const name of Object.keys(sizes) as (keyof typeof sizes)[]) {
    places[name] = bytes
    bytes += Math.ceil(sizes[name] / 64) * 64
  }
  const memory = sharedMemory(bytes)
  const { norms, encode, search } = kernelCalls(kernelModule(kernelName), memory)
  const { buffer } = memory
  new Float32Array(buffer, places.items, items.length).set(items)
  norms!(places.items, count, k, places.norms)
  const normOf = new Float32Array(buffer, places.norms, count)
  const order = new Int32Array(buffer, places.order, count)
  order.set(groups?.members ?? order.map((_, row) => row))
  const offsets = groups?.offsets ?? Int32Array.of(0, count)
  for (let group = 0; group + 1 < offsets.length; group++)
    sortByNorm(order.subarray(offsets[group], offsets[group + 1]), normOf)
  encode!(places.items, places.order, places.norms, count, k, places.codes, places.terms)

  // A later row is at most this much larger, and its product rounded up by so much.
  const slack = 1 + 2 ** -13 + k * 2 ** -22
  const querySlot = new Float32Array(buffer, places.query, k)
  const words = new Int16Array(buffer, places.words, k)
  const foundRows = new Int32Array(buffer, places.found, rowsAtOnce * 2)
  const foundScores = new Float32Array(buffer, places.found, rowsAtOnce * 2)
  const { query: queryAt, words: wordsAt, items: itemsAt, codes, terms, found } = places
  return (query, most, ranges) => {
    querySlot.set(query)
    const { step, perError, perNorm, norm } = inWords(query, words)
    const best = new BestKeeper(Math.min(most, count))
    for (const [start, end] of ranges)
      for (let from = start; from < end; from += rowsAtOnce) {
        const { least } = best
        if (norm * normOf[order[from]!]! * slack < least) break
        const to = Math.min(end, from + rowsAtOnce)
        const args = [wordsAt, queryAt, itemsAt, codes, terms, k, from, to, step, perError, perNorm]
        const size = search!(...args, least, found)
        for (let at = 0; at < size; at++) best.add(foundRows[2 * at]!, foundScores[2 * at + 1]!)
      }
    return best.ranked()
  }
}

/** The lowest bits of norms are left out of the order. */
const droppedBits = 8
const rowSteps = 2 ** 30

/** Sorts rows by falling norms: numbers that hold norm and row sort many times faster than a function compares. */
function sortByNorm(rows: Int32Array, normOf: Float32Array): void {
  const bits = new Int32Array(normOf.buffer, normOf.byteOffset, normOf.length)
  const keys = new Float64Array(rows.length)
  for (let at = 0; at < keys.length; at++) keys[at] = rows[at]! - (bits[rows[at]!]! >> droppedBits) * rowSteps
  keys.sort()
  for (let at = 0; at < keys.length; at++) rows[at] = ((keys[at]! % rowSteps) + rowSteps) % rowSteps
}

interface WordedQuery {
  step: number
  perError: number
  perNorm: number
  norm: number
}

/** Writes the query in words and returns what bounds the product of a row by that of the words and the codes. */
function inWords(query: Float32Array, words: Int16Array): WordedQuery {
  const k = query.length
  let [largest, square] = [0, 0]
  for (let at = 0; at < k; at++) {
    largest = Math.max(largest, Math.abs(query[at]!))
    square += query[at]! * query[at]!
  }
  const norm = Math.sqrt(square)
  if (!(norm >= smallestNorm && norm <= largestNorm)) {
    words.fill(0)
    return { step: 0, perError: Infinity, perNorm: Infinity, norm: Infinity }
  }
  // The sum of all products fits 32 bits.
  const step = Math.fround(largest / Math.min(largestWord, Math.floor(2 ** 31 / ((largestCode + 1) * k)) - 1))
  let [whole, rest] = [0, 0]
  for (let at = 0; at < k; at++) {
    const word = Math.round(query[at]! / step)
    words[at] = word
    whole += word * word
    rest += (query[at]! - word * step) ** 2
  }
  // Rounding: of the float product, of the norms and of the bound itself.
  const rounding = k * 2 ** -22 + 2 ** -18
  return {
    step,
    perError: Math.sqrt(whole) * step * (1 + rounding),
    perNorm: Math.sqrt(rest) * (1 + rounding) + norm * rounding,
    norm,
  }
}
