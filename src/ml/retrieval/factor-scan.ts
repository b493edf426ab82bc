// The rows with the largest dot product, exactly, without the product of every row. Rows are kept a second time in codes of
// one byte, the largest rows first. The product of the codes and what the codes leave out bound the product of a row, so only
// the few rows that can still be among the best are multiplied as floats; and no row is read once its norm is too small.

import { canRun, kernelCalls, kernelModule, sharedMemory } from '../kernels/load.ts'
import { TopList, type Ranked } from '../top-k.ts'

const kernelName = 'scan'
// As in the kernel.
const [rowsABlock, pairBytes, termBytes, stateBytes, foundBytes, noRow] = [8, 16, 128, 80, 8, -1]
/** A query of a norm outside is compared with every row: products of its steps are not exact. */
const [smallestNorm, largestNorm] = [1e-10, 1e14]
const largestCode = 127
const largestWord = 32_767
/** The shares of a query's values that are read before the bound is looked at. */
const stages = [3 / 8, 5 / 8, 1]
const stageBytes = 12
/** The first queries encode so many blocks each: all at once would hold up other requests when a model is loaded. */
const leastAtOnce = 512
const shareAtOnce = 1 / 16

/** The best rows for a query among those of some groups. It owns buffers, so threads must not share it. */
export type FactorScan = (query: Float32Array, most: number, groups: readonly number[]) => Ranked

export const canScanCodes = (k: number): boolean => k % 8 === 0 && canRun(kernelName)

/** Group g holds the rows members[offsets[g]] … members[offsets[g + 1] − 1]. */
export interface RowGroups {
  offsets: Int32Array
  members: Int32Array
}

/** All rows are one group unless others are given. */
export function factorScan(items: Float32Array, k: number, groups?: RowGroups): FactorScan {
  const count = items.length / k
  const { offsets, members } = groups ?? {
    offsets: Int32Array.of(0, count),
    members: Int32Array.from({ length: count }, (_, row) => row),
  }
  const firstBlocks = firstBlocksOf(offsets)
  const blocks = firstBlocks.at(-1)!
  const { memory, places } = placed({
    items: items.byteLength,
    order: blocks * rowsABlock * 4,
    norms: count * 4,
    terms: blocks * termBytes,
    codes: blocks * rowsABlock * k,
    query: k * 4,
    words: (k / 2) * 8,
    stages: stages.length * stageBytes,
    state: stateBytes,
    heap: count * 4,
    found: count * foundBytes,
  })
  const { norms, encode, search, settle } = kernelCalls(kernelModule(kernelName), memory)
  const { buffer } = memory
  new Float32Array(buffer, places.items, items.length).set(items)
  norms!(places.items, count, k, places.norms)
  const normOf = new Float32Array(buffer, places.norms, count)
  const order = new Int32Array(buffer, places.order, blocks * rowsABlock).fill(noRow)
  for (let group = 0; group + 1 < offsets.length; group++) {
    const rows = members.slice(offsets[group], offsets[group + 1])
    sortByNorm(rows, normOf)
    order.set(rows, firstBlocks[group]! * rowsABlock)
  }

  const querySlot = new Float32Array(buffer, places.query, k)
  const write = queryWriter(buffer, places, k)
  const foundRows = new Int32Array(buffer, places.found, count * 2)
  const foundScores = new Float32Array(buffer, places.found, count * 2)
  const state = new Int32Array(buffer, places.state, 3)
  const { query: queryAt, words, stages: stagesAt, codes, terms, heap, found } = places
  let encoded = 0
  const encodeNext = () => {
    const to = Math.min(blocks, encoded + Math.max(leastAtOnce, Math.ceil(blocks * shareAtOnce)))
    encode!(places.items, places.order, places.norms, encoded, to, k, codes, terms)
    encoded = to
  }
  // A later row is at most this much larger, and its product rounded up by so much.
  const slack = 1 + 2 ** -13 + k * 2 ** -22
  return (query, most, among) => {
    const best = new TopList(Math.min(most, count))
    if (best.least === Infinity) return best.ranked()
    if (encoded < blocks) encodeNext()
    querySlot.set(query)
    const { step, norm } = write(query)
    state.set([Math.min(most, count), 0, 0])
    if (encoded < blocks) state[2] = listAll({ offsets, members }, among, { foundRows, foundScores })
    else
      for (const group of among) {
        const [from, to] = [firstBlocks[group]!, firstBlocks[group + 1]!]
        // oxfmt-ignore
        search!(words, stagesAt, codes, terms, k, from, to, step, norm * slack, places.state, heap, found)
      }
    const size = settle!(queryAt, places.items, k, places.state, heap, found)
    for (let at = 0; at < size; at++) best.add(foundRows[2 * at]!, foundScores[2 * at + 1]!)
    return best.ranked()
  }
}

/** Without codes every row of the groups may be among the best. Returns their number. */
function listAll(
  { offsets, members }: RowGroups,
  groups: readonly number[],
  { foundRows, foundScores }: { foundRows: Int32Array; foundScores: Float32Array },
): number {
  let size = 0
  for (const group of groups)
    for (let at = offsets[group]!; at < offsets[group + 1]!; at++) {
      foundRows[2 * size] = members[at]!
      foundScores[2 * size++ + 1] = Infinity
    }
  return size
}

/** By group its first block, and the number of blocks behind the last: no block has rows of two groups. */
function firstBlocksOf(offsets: Int32Array): Int32Array {
  const first = new Int32Array(offsets.length)
  for (let group = 1; group < offsets.length; group++)
    first[group] = first[group - 1]! + Math.ceil((offsets[group]! - offsets[group - 1]!) / rowsABlock)
  return first
}

/** Memory for parts of these sizes in bytes, and where each begins. */
function placed<Name extends string>(sizes: Record<Name, number>) {
  const places = { ...sizes }
  let bytes = 0
  for (const name of Object.keys(sizes) as Name[]) {
    places[name] = bytes
    bytes += Math.ceil(sizes[name] / 64) * 64
  }
  return { memory: sharedMemory(bytes), places }
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

/** Writes queries for the kernel: pairs of values in words of two bytes, the largest pairs first, and the stages of the bound. */
function queryWriter(
  buffer: SharedArrayBuffer,
  places: { words: number; stages: number },
  k: number,
): (query: Float32Array) => { step: number; norm: number } {
  const pairs = k / 2
  const sorted = new Float64Array(pairs)
  const squares = new Float64Array(pairs)
  const pairPlaces = new Int32Array(buffer, places.words, pairs * 2)
  const words = new Int16Array(buffer, places.words, pairs * 4)
  const ends = new Int32Array(buffer, places.stages, stages.length * 3)
  const bounds = new Float32Array(buffer, places.stages, stages.length * 3)
  // The sum of all products fits 32 bits.
  const mostSteps = Math.min(largestWord, Math.floor(2 ** 31 / ((largestCode + 1) * k)) - 1)
  // Of the float product, of the norms and of the bound itself.
  const rounding = k * 2 ** -22 + 2 ** -18
  stages.forEach((share, stage) => (ends[3 * stage] = Math.ceil(pairs * share)))
  return (query) => {
    let [largest, square] = [0, 0]
    for (let pair = 0; pair < pairs; pair++) {
      const [a, b] = [query[2 * pair]!, query[2 * pair + 1]!]
      largest = Math.max(largest, Math.abs(a), Math.abs(b))
      squares[pair] = a * a + b * b
      square += squares[pair]!
      sorted[pair] = pair
    }
    const norm = Math.sqrt(square)
    const isUsual = norm >= smallestNorm && norm <= largestNorm
    // Size and pair in one number; sizes are rounded, so the order is not exact.
    if (isUsual)
      for (let pair = 0; pair < pairs; pair++)
        sorted[pair] = pair - Math.floor((squares[pair]! / square) * 2 ** 20) * pairs
    sorted.sort()
    const step = isUsual ? Math.fround(largest / mostSteps) : 0
    let [whole, rest] = [0, 0]
    for (let at = 0; at < pairs; at++) {
      const pair = ((sorted[at]! % pairs) + pairs) % pairs
      pairPlaces[2 * at] = pair * pairBytes
      squares[at] = 0
      for (let one = 0; one < 2; one++) {
        const value = query[2 * pair + one]!
        const word = isUsual ? Math.round(value / step) : 0
        words[4 * at + 2 + one] = word
        squares[at]! += (word * step) ** 2
        rest += (value - word * step) ** 2
      }
      whole += squares[at]!
    }
    let unread = whole
    for (let [stage, at] = [0, 0]; stage < stages.length; stage++) {
      for (; at < ends[3 * stage]!; at++) unread -= squares[at]!
      const left = stage + 1 < stages.length ? Math.sqrt(Math.max(0, unread)) + norm * rounding : 0
      bounds[3 * stage + 1] = isUsual ? (Math.sqrt(whole) + left) * (1 + rounding) : Infinity
      bounds[3 * stage + 2] = isUsual ? (Math.sqrt(rest) + left) * (1 + rounding) + norm * rounding : Infinity
    }
    return { step, norm: isUsual ? norm : Infinity }
  }
}
