// The distinct tokens of indexed texts, numbered. A token is found by its codes, so a text that consists of known tokens
// is read without making a string. It is a cache: when it is full, it starts again from empty.

import { traitsOf } from './head-words.ts'
import { isStopWord } from './lexicon.ts'
import { type ScannedTokens, tokenText } from './tokens.ts'

/** Numbers are below it. */
export const maxKnown = 1 << 17
const minSize = 1 << 10

export class TokenTable {
  /** Open addressing: a number plus one; 0 for none. At most half of the places are used. */
  #places = new Int32Array(2 * minSize)
  #hashes = new Int32Array(minSize)
  /** By number, where its codes begin; they end where those of the next begin. */
  #begins = new Int32Array(minSize + 1)
  #codes = new Uint16Array(8 * minSize)
  #size = 0
  /** By number. */
  readonly texts: string[] = []
  isStop = new Uint8Array(minSize)
  /** What the head of a name depends on. */
  traits = new Uint8Array(minSize)
  /** Changes when the numbers start again from 0. */
  version = 0

  get capacity(): number {
    return this.#hashes.length
  }

  numberOf(scanned: ScannedTokens, at: number): number {
    const { codes } = scanned
    const begin = scanned.begins[at]!
    const end = scanned.ends[at]!
    const hash = scanned.hashes[at]!
    const mask = this.#places.length - 1
    let place = hash & mask
    for (; this.#places[place] !== 0; place = (place + 1) & mask) {
      const number = this.#places[place]! - 1
      if (this.#hashes[number] === hash && this.#isAt(number, codes, begin, end)) return number
    }
    return this.#add(scanned, at, hash)
  }

  #isAt(number: number, codes: Uint16Array, begin: number, end: number): boolean {
    const own = this.#begins[number]!
    if (this.#begins[number + 1]! - own !== end - begin) return false
    for (let at = 0; at < end - begin; at++) if (this.#codes[own + at] !== codes[begin + at]) return false
    return true
  }

  #add(scanned: ScannedTokens, at: number, hash: number): number {
    if (this.#size === maxKnown) this.#clear()
    if (this.#size === this.#hashes.length) this.#widen()
    const number = this.#size++
    const codes = scanned.codes.subarray(scanned.begins[at]!, scanned.ends[at]!)
    const begin = this.#begins[number]!
    if (begin + codes.length > this.#codes.length)
      this.#codes = widened(this.#codes, new Uint16Array(2 * this.#codes.length))
    this.#codes.set(codes, begin)
    this.#begins[number + 1] = begin + codes.length
    this.#hashes[number] = hash
    this.texts[number] = tokenText(scanned, at)
    this.isStop[number] = isStopWord(this.texts[number]) ? 1 : 0
    this.traits[number] = traitsOf(this.texts[number])
    this.#place(number)
    return number
  }

  #place(number: number): void {
    const mask = this.#places.length - 1
    let place = this.#hashes[number]! & mask
    while (this.#places[place] !== 0) place = (place + 1) & mask
    this.#places[place] = number + 1
  }

  #widen(): void {
    const size = 2 * this.#hashes.length
    this.#hashes = widened(this.#hashes, new Int32Array(size))
    this.#begins = widened(this.#begins, new Int32Array(size + 1))
    this.isStop = widened(this.isStop, new Uint8Array(size))
    this.traits = widened(this.traits, new Uint8Array(size))
    this.#places = new Int32Array(2 * size)
    for (let number = 0; number < this.#size; number++) this.#place(number)
  }

  #clear(): void {
    this.#places.fill(0)
    this.#size = 0
    this.texts.length = 0
    this.version++
  }
}

const widened = <T extends Int32Array | Uint16Array | Uint8Array>(from: T, to: T): T => (to.set(from), to)
