// Words that differ by a slip or two. Every known word is filed under what is left of its beginning when letters are
// dropped; a misspelt word, treated alike, meets in one of those files every word within reach (the symmetric delete
// of Wolf Garbe). Files are told apart by a hash alone, so what is met is measured.

/** Only so much of a word's beginning is filed. */
const beginning = 6
const longestWord = 32
/** At most so many words are measured for one misspelt word. */
const mostMeasured = 1_500

/** How many slips are forgiven in a word of this length. */
export const slipsAllowed = (length: number): 0 | 1 | 2 => (length < 4 ? 0 : length < 8 ? 1 : 2)

export interface Near {
  entry: number
  slips: number
}

export class NearWords {
  #heads = new Int32Array(1 << 12).fill(-1)
  #hashes = new Int32Array(1 << 12)
  #entries = new Int32Array(1 << 12)
  #next = new Int32Array(1 << 12)
  #size = 0

  /** Files a word for all misspelt ones that may reach it: those of eight letters reach it with two slips. */
  add(word: string, entry: number): void {
    if (word.length < 3 || word.length > longestWord) return
    for (const hash of leftovers(word, word.length < 6 ? 1 : 2)) this.#file(hash, entry)
  }

  /** Entries within reach, each once, in the order of their numbers. `wordOf` tells an entry's word. */
  find(word: string, wordOf: (entry: number) => string): Near[] {
    const allowed = slipsAllowed(word.length)
    if (allowed === 0 || word.length > longestWord) return []
    const met = new Set<number>()
    for (const hash of leftovers(word, allowed))
      for (let at = this.#heads[hash & (this.#heads.length - 1)]!; at >= 0; at = this.#next[at]!)
        if (this.#hashes[at] === hash && met.size < mostMeasured) met.add(this.#entries[at]!)
    const near: Near[] = []
    for (const entry of met) {
      const slips = distance(word, wordOf(entry), allowed)
      if (slips <= allowed) near.push({ entry, slips })
    }
    return near.toSorted((a, b) => a.entry - b.entry)
  }

  #file(hash: number, entry: number): void {
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

/** Hashes of the word's beginning with up to so many letters dropped. */
function leftovers(word: string, drops: number): Set<number> {
  const start = word.slice(0, beginning)
  const hashes = new Set([hashWithout(start, -1, -1)])
  for (let one = 0; one < start.length; one++) {
    hashes.add(hashWithout(start, one, -1))
    if (drops === 2)
      for (let two = one + 1; two < start.length; two++) hashes.add(hashWithout(start, one, two))
  }
  return hashes
}

function hashWithout(word: string, one: number, two: number): number {
  let hash = 0x811c9dc5 | 0
  for (let at = 0; at < word.length; at++)
    if (at !== one && at !== two) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}

/** Letters to add, drop, change or swap with their neighbour to make one word of the other; given up above `most`. */
export function distance(one: string, other: string, most: number): number {
  const width = other.length + 1
  if (Math.abs(one.length - other.length) > most) return most + 1
  const costs = new Uint8Array((one.length + 1) * width)
  for (let column = 1; column < width; column++) costs[column] = column
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
    if (least > most) return most + 1
  }
  return costs[one.length * width + other.length]!
}
