// Finds the rows that have a word of every group, and what they are worth. Values are kept by place in the result, side by
// side: with a million rows, an array by slot would cost a cache miss for each row and value.

import { lowerBound } from './postings.ts'
import { slotBits } from './fields.ts'

/** Rows and, by their place, what is known of each. */
export interface MatchedRows {
  slots: Int32Array
  scores: Float64Array
  /** The best worth of a group that is a thing; 0 for none. */
  things: Float64Array
}

/** Rows of a word as postings, of which those with a field of `mask` count. */
interface WeighedList {
  values: Uint32Array
  quality: number
  mask: number
}

/** Lists of which a row needs one; the best decides its worth. */
export interface RowGroup {
  lists: readonly WeighedList[]
  /** How many postings the lists have together. */
  size: number
  /** The worth of a posting by its fields. */
  weights: Float64Array
  /** What the worth counts in the score. */
  factor: number
  isThing: boolean
}

/** A list this many times longer than the rows left is searched for each of them instead of being read. */
const lookupRatio = 12
const fieldMask = (1 << slotBits) - 1
const maxMark = 0xffff_ffff
const noRows: MatchedRows = {
  slots: new Int32Array(0),
  scores: new Float64Array(0),
  things: new Float64Array(0),
}

export class RowMatches {
  readonly #rows: { readonly alive: Uint8Array }
  /** By slot, the place of the row plus `#base`; a lower number for a row that is not among those that are left. */
  #marks = new Uint32Array(0)
  #base = 1
  /** By place. */
  #left = new Int32Array(0)
  #best = new Float64Array(0)
  #scores = new Float64Array(0)
  #things = new Float64Array(0)

  /** The flags of `alive` may be replaced by a longer array. */
  constructor(rows: { readonly alive: Uint8Array }) {
    this.#rows = rows
  }

  /** Rows that every group reaches. The rarest group is read first. */
  all(groups: readonly RowGroup[]): MatchedRows {
    if (groups.length === 0 || groups.some((it) => it.size === 0)) return noRows
    this.#prepare(groups.length + 1)
    const [rarest, ...others] = groups.toSorted((a, b) => a.size - b.size)
    let count = this.#reachAny(rarest!)
    for (const group of others) {
      if (count === 0) break
      this.#reachAgain(group, this.#left, count)
      count = this.#keepReached(group, count)
    }
    // Marks of these rows mean nothing to the next call.
    this.#base += count
    return {
      slots: this.#left.slice(0, count),
      scores: this.#scores.slice(0, count),
      things: this.#things.slice(0, count),
    }
  }

  /** By place, what the group is worth for each of the rows; −1 for those that it does not reach. Valid until the next call. */
  worthOf(group: RowGroup, slots: Int32Array): Float64Array {
    this.#prepare(1)
    for (let place = 0; place < slots.length; place++) this.#marks[slots[place]!] = this.#base + place
    this.#reachAgain(group, slots, slots.length)
    this.#base += slots.length
    return this.#best.subarray(0, slots.length)
  }

  #prepare(passes: number): void {
    const size = this.#rows.alive.length
    if (this.#marks.length !== size) {
      this.#marks = new Uint32Array(size)
      this.#left = new Int32Array(size)
      this.#best = new Float64Array(size)
      this.#scores = new Float64Array(size)
      this.#things = new Float64Array(size)
      this.#base = 1
    }
    if (this.#base + passes * size <= maxMark) return
    this.#marks.fill(0)
    this.#base = 1
  }

  #reachAny({ lists, weights, factor, isThing }: RowGroup): number {
    const [marks, best, left, base] = [this.#marks, this.#best, this.#left, this.#base]
    const { alive } = this.#rows
    let count = 0
    for (const { values, quality, mask } of lists)
      for (let at = 0; at < values.length; at++) {
        const value = values[at]!
        const bits = value & fieldMask & mask
        if (bits === 0) continue
        const slot = value >>> slotBits
        const worth = quality * weights[bits]!
        const place = marks[slot]! - base
        if (place >= 0) {
          if (worth > best[place]!) best[place] = worth
        } else if (alive[slot] === 1) {
          marks[slot] = base + count
          best[count] = worth
          left[count++] = slot
        }
      }
    for (let place = 0; place < count; place++) {
      this.#scores[place] = factor * best[place]!
      this.#things[place] = isThing ? best[place]! : 0
    }
    return count
  }

  /** Writes what the group is worth for each marked row into `#best`. */
  #reachAgain({ lists, weights }: RowGroup, slots: Int32Array, count: number): void {
    const [marks, base, best] = [this.#marks, this.#base, this.#best]
    best.fill(-1, 0, count)
    for (const list of lists) {
      const { values, quality, mask } = list
      if (values.length > lookupRatio * count) lookUp(list, weights, slots.subarray(0, count), best)
      else
        for (let at = 0; at < values.length; at++) {
          const value = values[at]!
          const place = marks[value >>> slotBits]! - base
          if (place < 0) continue
          const bits = value & fieldMask & mask
          if (bits === 0) continue
          const worth = quality * weights[bits]!
          if (worth > best[place]!) best[place] = worth
        }
    }
  }

  /** Keeps the rows that the group has reached, and adds what it is worth. */
  #keepReached({ factor, isThing }: RowGroup, count: number): number {
    const [marks, best, left] = [this.#marks, this.#best, this.#left]
    const [scores, things] = [this.#scores, this.#things]
    const base = this.#base + count
    let kept = 0
    for (let place = 0; place < count; place++) {
      const worth = best[place]!
      if (worth < 0) continue
      const slot = left[place]!
      marks[slot] = base + kept
      left[kept] = slot
      scores[kept] = scores[place]! + factor * worth
      things[kept++] = isThing ? Math.max(things[place]!, worth) : things[place]!
    }
    this.#base = base
    return kept
  }
}

function lookUp(
  { values, quality, mask }: WeighedList,
  weights: Float64Array,
  slots: Int32Array,
  best: Float64Array,
): void {
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!
    const value = values[lowerBound(values, (slot << slotBits) >>> 0, 0, values.length)]
    if (value === undefined || value >>> slotBits !== slot) continue
    const bits = value & fieldMask & mask
    if (bits === 0) continue
    const worth = quality * weights[bits]!
    if (worth > best[place]!) best[place] = worth
  }
}

/** The rows whose value is at least this, in their order. */
export function rowsFrom(rows: MatchedRows, column: Float64Array | Uint8Array, least: number): MatchedRows {
  const places = new Int32Array(rows.slots.length)
  let count = 0
  for (let place = 0; place < places.length; place++) if (column[place]! >= least) places[count++] = place
  if (count === places.length) return rows
  const [slots, scores, things] = [new Int32Array(count), new Float64Array(count), new Float64Array(count)]
  for (let at = 0; at < count; at++) {
    const place = places[at]!
    slots[at] = rows.slots[place]!
    scores[at] = rows.scores[place]!
    things[at] = rows.things[place]!
  }
  return { slots, scores, things }
}

/** The largest value; 0 when there is none. */
export function largest(column: Float64Array | Uint8Array): number {
  let most = 0
  for (let place = 0; place < column.length; place++) if (column[place]! > most) most = column[place]!
  return most
}
