// The entries of compound words (models, amounts, joined words), by a number that stands for their tokens. A cache: when it
// is full, it starts again from empty.

const maxKnown = 1 << 17
const minSize = 1 << 9

export class CompoundTable {
  /** Open addressing: at most half of the places are used. A key is stored plus one; 0 for none. */
  #keys = new Float64Array(2 * minSize)
  /** By place, where its entries begin in `#entries`; the first number there is how many they are. */
  #begins = new Int32Array(2 * minSize)
  #entries = new Uint32Array(4 * minSize)
  #size = 0
  #used = 0

  /** Where the entries of a key begin in `entries`, after their count; −1 when the key is unknown. */
  find(key: number): number {
    const place = this.#placeOf(key)
    return this.#keys[place] === 0 ? -1 : this.#begins[place]!
  }

  /** Valid until the next `set`. */
  get entries(): Uint32Array {
    return this.#entries
  }

  /** Returns what `find` will return. */
  set(key: number, entries: readonly number[]): number {
    if (this.#size === maxKnown) this.clear()
    if (2 * (this.#size + 1) > this.#keys.length) this.#widen()
    const begin = this.#used
    this.#used += 1 + entries.length
    if (this.#used > this.#entries.length) {
      const widened = new Uint32Array(2 * this.#used)
      widened.set(this.#entries)
      this.#entries = widened
    }
    this.#entries[begin] = entries.length
    this.#entries.set(entries, begin + 1)
    const place = this.#placeOf(key)
    if (this.#keys[place] === 0) this.#size++
    this.#keys[place] = key + 1
    this.#begins[place] = begin
    return begin
  }

  clear(): void {
    this.#keys.fill(0)
    this.#size = 0
    this.#used = 0
  }

  #placeOf(key: number): number {
    const mask = this.#keys.length - 1
    const high = Math.floor(key / 2 ** 32)
    let hash = Math.imul(key | 0, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77)
    hash ^= hash >>> 15
    let place = hash & mask
    while (this.#keys[place] !== 0 && this.#keys[place] !== key + 1) place = (place + 1) & mask
    return place
  }

  #widen(): void {
    const [keys, begins] = [this.#keys, this.#begins]
    this.#keys = new Float64Array(2 * keys.length)
    this.#begins = new Int32Array(2 * keys.length)
    for (let at = 0; at < keys.length; at++) {
      if (keys[at] === 0) continue
      const place = this.#placeOf(keys[at]! - 1)
      this.#keys[place] = keys[at]!
      this.#begins[place] = begins[at]!
    }
  }
}
