// Which products answer the words sought, and how well. Words are taken from the rarest on, so that the common ones
// are only looked up in what is left.

import type { Columns } from './columns.ts'
import { fieldWeights, slotBits } from './fields.ts'
import type { Region } from './item.ts'
import { lowerBound } from './postings.ts'
import { read, type Sought } from './seeking.ts'
import type { TextIndex } from './text-index.ts'

export interface Matches {
  slots: Int32Array
  /** By slot; only what was found counts. Good until the next search. */
  scores: Float64Array
  didYouMean: string | null
}

/** When a list is so many times longer than what is left, each of the left is looked up in it. */
const lookupsPay = 12
/** When no product has all words, at most so many postings are seen to find those with the most. */
const mostSeen = 50_000
/** What is not in stock, and what nobody offers, stands lower. */
const availability = { inStock: 1, outOfStock: 0.7, notOffered: 0.5 }
/** Among equals the dearer is rather the thing itself, the cheaper something for it: so much for a band of prices. */
const forPriceBand = 0.005

export class Matcher {
  readonly #columns: Columns
  readonly #index: TextIndex
  /** The last word that reached each slot, as a turn that never comes twice. */
  #reached = new Uint32Array(0)
  #best = new Float64Array(0)
  #scores = new Float64Array(0)
  #counts = new Uint8Array(0)
  #left = new Int32Array(0)
  #turn = 0

  constructor(columns: Columns, index: TextIndex) {
    this.#columns = columns
    this.#index = index
  }

  search(text: string, region: Region, isBeing: 'typed' | 'sent' = 'sent'): Matches {
    const { sought, didYouMean } = read(this.#index, text, isBeing)
    this.#prepare(2 * sought.length)
    const words = sought.toSorted((a, b) => a.size - b.size)
    let slots = this.#withAll(words)
    if (slots.length === 0 && words.length > 1) slots = this.#withMost(words)
    this.#weigh(slots, region)
    return { slots, scores: this.#scores, didYouMean: slots.length > 0 ? didYouMean : null }
  }

  #prepare(turns: number): void {
    const room = this.#columns.alive.length
    const isWorn = this.#turn + turns > 0xffff_ffff
    if (this.#reached.length === room && !isWorn) return
    this.#reached = new Uint32Array(room)
    this.#best = new Float64Array(room)
    this.#scores = new Float64Array(room)
    this.#counts = new Uint8Array(room)
    this.#left = new Int32Array(room)
    this.#turn = 0
  }

  #withAll(words: Sought[]): Int32Array {
    let count = 0
    for (const [at, word] of words.entries()) {
      count = at === 0 ? this.#reachAny(word) : this.#reachLeft(word, count)
      const telling = this.#telling(word)
      for (let place = 0; place < count; place++) {
        const slot = this.#left[place]!
        this.#scores[slot] = (at === 0 ? 0 : this.#scores[slot]!) + telling * this.#best[slot]!
      }
      if (count === 0) break
    }
    return this.#left.slice(0, count)
  }

  /** Puts all that a word reaches into `#left`, and into `#best` how well. */
  #reachAny({ terms }: Sought): number {
    const turn = ++this.#turn
    const [reached, best, left] = [this.#reached, this.#best, this.#left]
    const { alive } = this.#columns
    let count = 0
    for (const { entry, quality } of terms) {
      const list = this.#index.postings.view(entry)
      for (let at = 0; at < list.length; at++) {
        const value = list[at]!
        const slot = value >>> slotBits
        const worth = quality * fieldWeights[value & fieldsOnly]!
        if (reached[slot] === turn) {
          if (worth > best[slot]!) best[slot] = worth
        } else if (alive[slot] === 1) {
          reached[slot] = turn
          best[slot] = worth
          left[count++] = slot
        }
      }
    }
    return count
  }

  /** Keeps of `#left` what the word reaches too. */
  #reachLeft({ terms }: Sought, count: number): number {
    const turn = ++this.#turn
    const [reached, best, left] = [this.#reached, this.#best, this.#left]
    for (const { entry, quality } of terms) {
      const list = this.#index.postings.view(entry)
      if (list.length > lookupsPay * count) this.#lookUp(list, quality, count)
      else
        for (let at = 0; at < list.length; at++) {
          const value = list[at]!
          const slot = value >>> slotBits
          const worth = quality * fieldWeights[value & fieldsOnly]!
          if (reached[slot] === turn) {
            if (worth > best[slot]!) best[slot] = worth
          } else if (reached[slot] === turn - 1) {
            reached[slot] = turn
            best[slot] = worth
          }
        }
    }
    let kept = 0
    for (let at = 0; at < count; at++) if (reached[left[at]!] === turn) left[kept++] = left[at]!
    return kept
  }

  #lookUp(list: Uint32Array, quality: number, count: number): void {
    for (let place = 0; place < count; place++) {
      const slot = this.#left[place]!
      const value = list[lowerBound(list, (slot << slotBits) >>> 0, 0, list.length)]
      if (value === undefined || value >>> slotBits !== slot) continue
      const worth = quality * fieldWeights[value & fieldsOnly]!
      if (this.#reached[slot] === this.#turn && this.#best[slot]! >= worth) continue
      this.#reached[slot] = this.#turn
      this.#best[slot] = worth
    }
  }

  /** Products with the most of the words, when none has all; at least half of them. */
  #withMost(words: Sought[]): Int32Array {
    const [counts, scores] = [this.#counts.fill(0), this.#scores]
    const found: number[] = []
    let seen = 0
    let most = 0
    for (const word of words) {
      if (seen > 0 && seen + word.size > mostSeen) break
      seen += word.size
      const count = this.#reachAny(word)
      const telling = this.#telling(word)
      for (let at = 0; at < count; at++) {
        const slot = this.#left[at]!
        const isNew = counts[slot] === 0
        if (isNew) found.push(slot)
        scores[slot] = (isNew ? 0 : scores[slot]!) + telling * this.#best[slot]!
        counts[slot]!++
        if (counts[slot]! > most) most = counts[slot]!
      }
    }
    return most < words.length / 2
      ? new Int32Array(0)
      : Int32Array.from(found.filter((it) => counts[it] === most))
  }

  /** A rare word tells more than a common one. */
  #telling({ size }: Sought): number {
    return Math.log(1 + this.#columns.size / (size + 1))
  }

  #weigh(slots: Int32Array, region: Region): void {
    const { weight } = this.#columns
    const { inStock, price, priceBand } = this.#columns.in[region]
    const scores = this.#scores
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at]!
      const unsold = Number.isNaN(price[slot]!) ? availability.notOffered : availability.outOfStock
      const available = inStock[slot] === 1 ? availability.inStock : unsold
      scores[slot] = scores[slot]! * weight[slot]! * available * (1 + forPriceBand * priceBand[slot]!)
    }
  }
}

const fieldsOnly = fieldWeights.length - 1
