// Finds words within one or two typos by symmetric delete (Wolf Garbe's SymSpell). Every word is stored under the hashes
// of its prefix with letters deleted; a misspelt word, treated alike, shares a hash with every word in reach. Different
// prefixes may share a hash, so the edit distance of every candidate is computed.

import { bitCount } from './bit-count.ts'
import { isModel } from './word-key.ts'

/** Letters of a word that are hashed. */
const prefixLength = 6
const maxWordLength = 32
/** Candidates whose edit distance is computed for one misspelt word. */
const maxCandidates = 1_500

/** Typos that are accepted in a word of this length. */
export const allowedTypos = (length: number): 0 | 1 | 2 => (length < 4 ? 0 : length < 8 ? 1 : 2)

export interface NearEntry {
  entry: number
  typos: number
}

export class TypoIndex {
  #heads = new Int32Array(1 << 12).fill(-1)
  #hashes = new Int32Array(1 << 12)
  #entries = new Int32Array(1 << 12)
  #next = new Int32Array(1 << 12)
  #size = 0
  /** By entry, which letters its word has. */
  #letters = new Int32Array(1 << 10)

  add(word: string, entry: number): void {
    if (entry >= this.#letters.length) {
      const letters = new Int32Array(2 * entry)
      letters.set(this.#letters)
      this.#letters = letters
    }
    this.#letters[entry] = lettersOf(word)
    for (const hash of storedDeletions(word)) this.#store(hash, entry)
  }

  /** Entries within the allowed number of typos, or `most` of them, in ascending order. `wordOf` returns an entry's word. */
  find(word: string, wordOf: (entry: number) => string, most?: 1 | 2): NearEntry[] {
    const allowed = most ?? allowedTypos(word.length)
    if (allowed === 0 || word.length > maxWordLength) return []
    const candidates = new Set<number>()
    for (const hash of deletions(word, allowed))
      for (let at = this.#heads[hash & (this.#heads.length - 1)]!; at >= 0; at = this.#next[at]!)
        if (this.#hashes[at] === hash && candidates.size < maxCandidates) candidates.add(this.#entries[at]!)
    const near: NearEntry[] = []
    const letters = lettersOf(word)
    for (const entry of candidates) {
      // A typo changes at most two letters: most candidates have too many others, and their distance need not be computed.
      if (bitCount(letters ^ this.#letters[entry]!) > 2 * allowed) continue
      const typos = editDistance(word, wordOf(entry), allowed)
      if (typos <= allowed) near.push({ entry, typos })
    }
    return near.toSorted((a, b) => a.entry - b.entry)
  }

  #store(hash: number, entry: number): void {
    if (this.#size === this.#next.length) this.#widen()
    const head = hash & (this.#heads.length - 1)
    this.#hashes[this.#size] = hash
    this.#entries[this.#size] = entry
    this.#next[this.#size] = this.#heads[head]!
    this.#heads[head] = this.#size++
  }

  #widen(): void {
    const size = this.#next.length * 2
    const widened = (from: Int32Array) => {
      const to = new Int32Array(size)
      to.set(from)
      return to
    }
    this.#hashes = widened(this.#hashes)
    this.#entries = widened(this.#entries)
    this.#next = widened(this.#next)
    this.#heads = new Int32Array(size).fill(-1)
    for (let at = 0; at < this.#size; at++) {
      const head = this.#hashes[at]! & (size - 1)
      this.#next[at] = this.#heads[head]!
      this.#heads[head] = at
    }
  }
}

/** Words from six letters on are stored for two typos: a misspelt word of eight letters may reach them. */
const storedDeletions = (word: string): number[] =>
  word.length < 3 || word.length > maxWordLength ? [] : deletions(word, word.length < 6 ? 1 : 2)

/** The hashes under which a key is stored; none for the name of a model, which is never corrected to. */
export const deletionsOf = (key: string): number[] => (isModel(key) ? [] : storedDeletions(key))

/** The hashes by which a misspelt word is looked up. */
export const deletionsFor = (word: string, allowed: 1 | 2): number[] =>
  word.length > maxWordLength ? [] : deletions(word, allowed)

/** Hashes of the word's prefix with up to `drops` letters deleted, each once. */
function deletions(word: string, drops: number): number[] {
  const start = word.slice(0, prefixLength)
  const hashes = [hashWithout(start, -1, -1)]
  const add = (one: number, two: number) => {
    const hash = hashWithout(start, one, two)
    if (!hashes.includes(hash)) hashes.push(hash)
  }
  for (let one = 0; one < start.length; one++) {
    add(one, -1)
    if (drops === 2) for (let two = one + 1; two < start.length; two++) add(one, two)
  }
  return hashes
}

/** Which letters a word has, as bits; different letters may share one. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function hashWithout(word: string, one: number, two: number): number {
  let hash = 0x811c9dc5 | 0
  for (let at = 0; at < word.length; at++)
    if (at !== one && at !== two) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}

/** Reused by every computation that fits, which all are synchronous. */
const scratch = new Uint8Array((maxWordLength + 1) ** 2)

/** Damerau-Levenshtein distance (optimal string alignment); `limit + 1` as soon as it exceeds the limit. */
export function editDistance(one: string, other: string, limit: number): number {
  const width = other.length + 1
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  const size = (one.length + 1) * width
  const costs = size <= scratch.length ? scratch : new Uint8Array(size)
  for (let column = 0; column < width; column++) costs[column] = column
  for (let row = 1; row <= one.length; row++) {
    const at = row * width
    const letter = one.charCodeAt(row - 1)
    costs[at] = row
    let least = row
    for (let column = 1; column < width; column++) {
      const beside = other.charCodeAt(column - 1)
      let cost = costs[at - width + column - 1]! + (letter === beside ? 0 : 1)
      cost = Math.min(cost, costs[at + column - 1]! + 1, costs[at - width + column]! + 1)
      const isSwap =
        row > 1 && column > 1 && letter === other.charCodeAt(column - 2) && one.charCodeAt(row - 2) === beside
      if (isSwap) cost = Math.min(cost, costs[at - 2 * width + column - 2]! + 1)
      costs[at + column] = cost
      if (cost < least) least = cost
    }
    if (least > limit) return limit + 1
  }
  return costs[one.length * width + other.length]!
}
