// Finds the rows that have a word of every group, and what they are worth. Values are kept by place in the result, side by
// side: with a million rows, an array by slot would cost a cache miss for each row and value.

import { bitCount } from './bit-count.ts'
import { nextBound } from './postings.ts'
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

/** The least that the thing of a row must be worth, by the most that one is worth. */
export type LeastThing = (best: number) => number

/** A list this many times longer than the rows left is searched for each of them instead of being read. */
const lookupRatio = 8
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
  #bits = new Uint32Array(0)
  /** How many marks are in use. */
  #marked = 0

  /** The flags of `alive` may be replaced by a longer array. */
  constructor(rows: { readonly alive: Uint8Array }) {
    this.#rows = rows
  }

  /** Rows that every group reaches. */
  all(groups: readonly RowGroup[], least: LeastThing): MatchedRows {
    return this.#taken(this.#reachAll(groups), least)
  }

  /**
   * Of the rows that every required group reaches and whose thing is worth at least `own`, or of all when none is, those
   * that the most of the others reach, at most 32. The bits of `reached` are the others that reach some of them.
   */
  most(
    required: readonly RowGroup[],
    others: readonly RowGroup[],
    { own, least }: { own: number; least: LeastThing },
  ): { rows: MatchedRows; reached: number } {
    const count = this.#reachAll(required)
    this.#bits.fill(0, 0, count)
    for (let which = 0; which < others.length; which++) this.#noteReached(others[which]!, count, 1 << which)
    const { kept, reached } = this.#keepMost(count, own)
    const rows = this.#taken(kept, least)
    // What the others are worth matters only for the few rows that are left.
    this.addWorth(others, rows)
    return { rows, reached }
  }

  /** Adds to the scores of rows what the groups that reach them are worth. */
  addWorth(groups: readonly RowGroup[], { slots, scores }: MatchedRows): void {
    if (slots.length === 0 || groups.every(isEmpty)) return
    this.#prepare(1)
    for (let place = 0; place < slots.length; place++) this.#marks[slots[place]!] = this.#base + place
    for (const group of groups) {
      if (isEmpty(group)) continue
      this.#reachAgain(group, slots, slots.length)
      for (let place = 0; place < slots.length; place++)
        if (this.#best[place]! >= 0) scores[place] = scores[place]! + group.factor * this.#best[place]!
    }
    this.#base += slots.length
  }

  /** How many rows every group reaches; they are marked, and `#left`, `#scores` and `#things` have them. */
  #reachAll(groups: readonly RowGroup[]): number {
    if (groups.length === 0 || groups.some(isEmpty)) return 0
    this.#prepare(groups.length + 1)
    // Frequent groups are only looked up among the rows that the rarest reaches.
    const [rarest, ...others] = groups.toSorted((a, b) => a.size - b.size)
    let count = this.#reachAny(rarest!)
    for (const group of others) {
      if (count === 0) break
      this.#reachAgain(group, this.#left, count)
      count = this.#keepReached(group, count)
    }
    this.#marked = count
    return count
  }

  /** A copy of those of the first rows whose thing is worth enough. Their marks mean nothing to the next call. */
  #taken(count: number, least: LeastThing): MatchedRows {
    this.#base += this.#marked
    this.#marked = 0
    if (count === 0) return noRows
    const [slots, scores, things] = [this.#left, this.#scores, this.#things]
    const worth = least(largest(things.subarray(0, count)))
    let kept = 0
    for (let place = 0; place < count; place++) {
      if (things[place]! < worth) continue
      slots[kept] = slots[place]!
      scores[kept] = scores[place]!
      things[kept++] = things[place]!
    }
    return { slots: slots.slice(0, kept), scores: scores.slice(0, kept), things: things.slice(0, kept) }
  }

  /** Sets the bit of every marked row that the group reaches. */
  #noteReached({ lists }: RowGroup, count: number, bit: number): void {
    const [marks, base, slots, bits] = [this.#marks, this.#base, this.#left, this.#bits]
    for (const { values, mask } of lists) {
      if (values.length > lookupRatio * count) {
        eachFound(values, slots.subarray(0, count), (found, place) => {
          if ((found & mask) !== 0) bits[place]! |= bit
        })
        continue
      }
      for (let at = 0; at < values.length; at++) {
        const value = values[at]!
        const place = marks[value >>> slotBits]! - base
        if (place >= 0 && (value & fieldMask & mask) !== 0) bits[place]! |= bit
      }
    }
  }

  /** Of the first rows whose thing is worth at least `own`, or of all when none is, those with the most bits. */
  #keepMost(count: number, own: number): { kept: number; reached: number } {
    const [slots, scores, things, bits] = [this.#left, this.#scores, this.#things, this.#bits]
    let least = 0
    for (let place = 0; place < count && least === 0; place++) if (things[place]! >= own) least = own
    let [most, kept, reached] = [0, 0, 0]
    for (let place = 0; place < count; place++) {
      if (things[place]! < least) continue
      const those = bitCount(bits[place]!)
      if (those < most) continue
      if (those > most) [most, kept, reached] = [those, 0, 0]
      reached |= bits[place]!
      slots[kept] = slots[place]!
      scores[kept] = scores[place]!
      things[kept++] = things[place]!
    }
    return { kept, reached }
  }

  #prepare(passes: number): void {
    const size = this.#rows.alive.length
    if (this.#marks.length !== size) {
      this.#marks = new Uint32Array(size)
      this.#left = new Int32Array(size)
      this.#best = new Float64Array(size)
      this.#scores = new Float64Array(size)
      this.#things = new Float64Array(size)
      this.#bits = new Uint32Array(size)
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
    for (const list of lists) {
      const { values } = list
      const worths = worthsOf(list, weights)
      for (let at = 0; at < values.length; at++) {
        const value = values[at]!
        const worth = worths[value & fieldMask]!
        if (worth < 0) continue
        const slot = value >>> slotBits
        const place = marks[slot]! - base
        if (place >= 0) {
          if (worth > best[place]!) best[place] = worth
        } else if (alive[slot] === 1) {
          marks[slot] = base + count
          best[count] = worth
          left[count++] = slot
        }
      }
    }
    for (let place = 0; place < count; place++) {
      this.#scores[place] = factor * best[place]!
      this.#things[place] = isThing ? best[place]! : 0
    }
    return count
  }

  /** Writes what the group is worth for each marked row into `#best`; less than 0 for a row that it does not reach. */
  #reachAgain({ lists, weights }: RowGroup, slots: Int32Array, count: number): void {
    const [marks, base, best] = [this.#marks, this.#base, this.#best]
    best.fill(-1, 0, count)
    for (const list of lists) {
      const { values } = list
      const worths = worthsOf(list, weights)
      if (values.length > lookupRatio * count) {
        eachFound(values, slots.subarray(0, count), (bits, place) => {
          if (worths[bits]! > best[place]!) best[place] = worths[bits]!
        })
        continue
      }
      for (let at = 0; at < values.length; at++) {
        const value = values[at]!
        const place = marks[value >>> slotBits]! - base
        if (place >= 0 && worths[value & fieldMask]! > best[place]!) best[place] = worths[value & fieldMask]!
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

const isEmpty = ({ size }: RowGroup): boolean => size === 0

/** By fields, what a posting of a list is worth; −1 for one that does not count. */
function worthsOf({ quality, mask }: WeighedList, weights: Float64Array): Float64Array {
  const worths = new Float64Array(1 << slotBits)
  for (let bits = 0; bits < worths.length; bits++)
    worths[bits] = (bits & mask) === 0 ? -1 : quality * weights[bits & mask]!
  return worths
}

/** Looks rows up in a list and visits the fields of those that it has. Ascending rows are found soonest. */
function eachFound(
  values: Uint32Array,
  slots: Int32Array,
  visit: (bits: number, place: number) => void,
): void {
  let at = 0
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!
    const wanted = (slot << slotBits) >>> 0
    at = nextBound(values, wanted, place > 0 && slots[place - 1]! < slot ? at : 0)
    if (at < values.length && values[at]! >>> slotBits === slot) visit(values[at]! & fieldMask, place)
  }
}

/** The rows whose value is at least this, in their order. */
export function rowsFrom(rows: MatchedRows, column: Float64Array, least: number): MatchedRows {
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
export function largest(column: Float64Array): number {
  let most = 0
  for (let place = 0; place < column.length; place++) if (column[place]! > most) most = column[place]!
  return most
}
