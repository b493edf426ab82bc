// The candidates of one request. An item gets a slot when a source first scores it, and its scores are stored in columns
// by slot. A request scores some thousands of a hundred thousand items, so later loops are short.

import type { Ranked } from '../../ml/top-k.ts'
import { type Chooser, chooserFor } from '../../ml/choose-best.ts'
import type { Recency } from '../../ml/retrieval/neighbours.ts'
import type { ScoreBoard } from '../../ml/retrieval/score-board.ts'
import type { Csr } from '../../ml/retrieval/sparse.ts'

const mostShortSlots = 2 ** 16

/** Slots start at 1; 0 means no slot. */
export class CandidateList {
  /** By source, then by slot. */
  readonly #said: readonly Float64Array[]
  /** By source, the last slot that it may have scored; later slots need not be read for it. */
  readonly #ends: Int32Array
  /** Of two bytes where they suffice: it is read for every neighbour, and more of it stays in the nearer caches. */
  readonly #slotOf: Uint16Array | Int32Array
  readonly #items: Int32Array
  readonly #blend: Float64Array
  readonly #isOut: Uint8Array
  readonly #left: number[] = []
  readonly #choose: Chooser
  #size = 0

  constructor(items: number, sources: number) {
    this.#said = Array.from({ length: sources }, () => new Float64Array(items + 1))
    this.#ends = new Int32Array(sources)
    this.#slotOf = items < mostShortSlots ? new Uint16Array(items) : new Int32Array(items)
    this.#items = new Int32Array(items + 2)
    this.#blend = new Float64Array(items + 1)
    this.#isOut = new Uint8Array(items + 1)
    this.#choose = chooserFor(items)
  }

  add(source: number, item: number, amount: number): void {
    this.#said[source]![this.#slotFor(item)]! += amount
    this.#ends[source] = this.#size
  }

  /** Adds the neighbours of the history's items, weighted by recency. Most of a request's time is spent here. */
  addNeighbours(
    source: number,
    { rows, offsets, indices, values }: Csr,
    history: ArrayLike<number>,
    { fade, last }: Recency,
  ): void {
    const column = this.#said[source]!
    const slotOf = this.#slotOf
    const items = this.#items
    let size = this.#size
    for (let back = 0; back < Math.min(last, history.length); back++) {
      const item = history[history.length - 1 - back]!
      if (!(item >= 0 && item < rows)) continue
      const weight = fade === 0 ? 1 : Math.exp(-fade * back)
      const end = offsets[item + 1]!
      for (let at = offsets[item]!; at < end; at++) {
        const neighbour = indices[at]!
        let slot = slotOf[neighbour]!
        // Rarely: of the neighbours of a history most are met several times.
        if (slot === 0) {
          slot = ++size
          slotOf[neighbour] = slot
          items[slot] = neighbour
        }
        column[slot]! += weight * values[at]!
      }
    }
    this.#size = size
    this.#ends[source] = size
  }

  /** Adds the scores of a board. */
  addScores(source: number, { touched, values, size }: ScoreBoard): void {
    for (let at = 0; at < size; at++) {
      const item = touched[at]!
      if (values[item]! > 0) this.#said[source]![this.#slotFor(item)]! += values[item]!
    }
    this.#ends[source] = this.#size
  }

  /** Excludes items: they are not chosen, and ignored when scores are scaled. */
  leaveOut(items: Iterable<number>): void {
    for (const item of items) {
      const slot = this.#slotOf[item]!
      this.#isOut[slot] = 1
      this.#left.push(slot)
    }
  }

  /** The highest score of a source among items that are not excluded; 0 without any. */
  topOf(source: number): number {
    const column = this.#said[source]!
    const isOut = this.#isOut
    const end = this.#ends[source]!
    let top = 0
    for (let slot = 1; slot <= end; slot++) if (column[slot]! > top && isOut[slot] === 0) top = column[slot]!
    return top
  }

  addToBlend(source: number, scale: number): void {
    const column = this.#said[source]!
    const blend = this.#blend
    const end = this.#ends[source]!
    for (let slot = 1; slot <= end; slot++) blend[slot]! += column[slot]! * scale
  }

  /** The best of the blend, the best first, ties by id. `takes` is called in that order, for few more items than it accepts. */
  best(limit: number, takes: (item: number) => boolean): Ranked {
    for (const slot of this.#left) this.#blend[slot] = 0
    return this.#choose({ items: this.#items, scores: this.#blend, size: this.#size }, limit, takes)
  }

  /** By source, the scores for items relative to its best; sources without a best share zeros. */
  sharesOf(items: Int32Array, bests: readonly number[]): Float32Array[] {
    const { length } = items
    const used = bests.filter((best) => best > 0).length
    // One buffer for all: a small one costs more than its numbers.
    const { buffer } = new Float32Array((used + 1) * length)
    let place = 0
    const none = new Float32Array(buffer, 0, length)
    return bests.map((best, source) => {
      if (!(best > 0)) return none
      const shares = new Float32Array(buffer, ++place * length * Float32Array.BYTES_PER_ELEMENT, length)
      const column = this.#said[source]!
      for (let at = 0; at < length; at++) shares[at] = column[this.#slotOf[items[at]!]!]! / best
      return shares
    })
  }

  clear(): void {
    const slotOf = this.#slotOf
    const items = this.#items
    const size = this.#size
    for (let slot = 1; slot <= size; slot++) slotOf[items[slot]!] = 0
    this.#said.forEach((column, source) => column.fill(0, 1, this.#ends[source]! + 1))
    this.#ends.fill(0)
    this.#blend.fill(0, 1, size + 1)
    for (const slot of this.#left) this.#isOut[slot] = 0
    this.#left.length = 0
    this.#size = 0
  }

  #slotFor(item: number): number {
    const known = this.#slotOf[item]!
    if (known > 0) return known
    this.#items[++this.#size] = item
    this.#slotOf[item] = this.#size
    return this.#size
  }
}
