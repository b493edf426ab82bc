// Which products answer the words sought, and how well. Words are taken from the rarest on, so that the common ones
// are only looked up in what is left.

import type { Columns } from './columns.ts'
import { fieldWeights, slotBits } from './fields.ts'
import type { Region } from './item.ts'
import { lowerBound } from './postings.ts'
import { read, type Sought } from './seeking.ts'
import type { TextIndex } from './text-index.ts'

export interface Matches {
  slots: number[]
  score(slot: number): number
  didYouMean: string | null
}

/** When a list is so many times longer than what is left, each of the left is looked up in it. */
const lookupsPay = 12
/** When no product has all words, at most so many postings are seen to find those with the most. */
const mostSeen = 200_000
/** What is not in stock, and what nobody offers, stands lower. */
const availability = { inStock: 1, outOfStock: 0.7, notOffered: 0.5 }

export class Matcher {
  readonly #columns: Columns
  readonly #index: TextIndex
  /** The last word that reached each slot, as a turn that never comes twice. */
  #reached = new Uint32Array(0)
  #best = new Float64Array(0)
  #score = new Float64Array(0)
  #count = new Uint8Array(0)
  #turn = 0

  constructor(columns: Columns, index: TextIndex) {
    this.#columns = columns
    this.#index = index
  }

  search(text: string, region: Region, isBeing: 'typed' | 'sent' = 'sent'): Matches {
    const { sought, didYouMean } = read(this.#index, text, isBeing)
    this.#prepare(sought.length)
    const words = sought.toSorted((a, b) => a.size - b.size)
    let slots = this.#withAll(words)
    if (slots.length === 0 && words.length > 1) slots = this.#withMost(words)
    this.#weigh(slots, region)
    const score = this.#score
    return { slots, score: (slot) => score[slot]!, didYouMean: slots.length > 0 ? didYouMean : null }
  }

  #prepare(words: number): void {
    const { slots } = this.#columns
    if (this.#reached.length < slots) {
      const room = this.#columns.alive.length
      this.#reached = new Uint32Array(room)
      this.#best = new Float64Array(room)
      this.#score = new Float64Array(room)
      this.#count = new Uint8Array(room)
      this.#turn = 0
    }
    if (this.#turn + 2 * words + 2 > 0xffff_ffff) {
      this.#reached.fill(0)
      this.#turn = 0
    }
  }

  #withAll(words: Sought[]): number[] {
    let left: number[] | undefined
    for (const word of words) {
      const next = this.#reach(word, left)
      const telling = this.#telling(word)
      for (const slot of next)
        this.#score[slot] = (left ? this.#score[slot]! : 0) + telling * this.#best[slot]!
      left = next
      if (left.length === 0) break
    }
    return left ?? []
  }

  /** The slots that a word reaches, of those left by the word before; `#best` tells how well. */
  #reach({ terms }: Sought, left: number[] | undefined): number[] {
    const before = this.#turn
    const now = ++this.#turn
    const reached: number[] = []
    for (const { entry, quality } of terms) {
      const list = this.#index.postings.view(entry)
      if (left && list.length > lookupsPay * left.length) this.#lookUp(list, quality, left, reached)
      else
        for (let at = 0; at < list.length; at++) {
          const slot = list[at]! >>> slotBits
          const last = this.#reached[slot]!
          if (last === now || (left ? last === before : this.#columns.alive[slot] === 1))
            this.#meet(slot, quality * fieldWeights[list[at]! & (fieldWeights.length - 1)]!, reached)
        }
    }
    return reached
  }

  #lookUp(list: Uint32Array, quality: number, left: number[], reached: number[]): void {
    for (const slot of left) {
      const at = lowerBound(list, (slot << slotBits) >>> 0, 0, list.length)
      if (at < list.length && list[at]! >>> slotBits === slot)
        this.#meet(slot, quality * fieldWeights[list[at]! & (fieldWeights.length - 1)]!, reached)
    }
  }

  #meet(slot: number, worth: number, reached: number[]): void {
    if (this.#reached[slot] !== this.#turn) {
      this.#reached[slot] = this.#turn
      this.#best[slot] = worth
      reached.push(slot)
    } else if (worth > this.#best[slot]!) this.#best[slot] = worth
  }

  /** Products with the most of the words, when none has all; at least half of them. */
  #withMost(words: Sought[]): number[] {
    const found: number[] = []
    const isMet = new Uint8Array(this.#columns.slots)
    let seen = 0
    let most = 0
    for (const word of words) {
      if (seen > mostSeen) break
      seen += word.size
      const telling = this.#telling(word)
      for (const slot of this.#reach(word, undefined)) {
        const isNew = isMet[slot] === 0
        if (isNew) found.push(slot)
        this.#score[slot] = (isNew ? 0 : this.#score[slot]!) + telling * this.#best[slot]!
        this.#count[slot] = (isNew ? 0 : this.#count[slot]!) + 1
        isMet[slot] = 1
        if (this.#count[slot]! > most) most = this.#count[slot]!
      }
    }
    if (most < words.length / 2) return []
    return found.filter((slot) => this.#count[slot] === most)
  }

  /** A rare word tells more than a common one. */
  #telling({ size }: Sought): number {
    return Math.log(1 + this.#columns.size / (size + 1))
  }

  #weigh(slots: number[], region: Region): void {
    const { weight } = this.#columns
    const { inStock, price } = this.#columns.in[region]
    for (const slot of slots) {
      const isOffered = !Number.isNaN(price[slot]!)
      const available =
        inStock[slot] === 1
          ? availability.inStock
          : isOffered
            ? availability.outOfStock
            : availability.notOffered
      this.#score[slot]! *= weight[slot]! * available
    }
  }
}
