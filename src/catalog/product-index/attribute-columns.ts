// The attributes of the indexed products: for each row a few numbers of values, in one array. Rows that are equal in a value
// share its number, so filters and facets compare numbers.

import type { AttributeValue, AttributeValues } from '../attributes/attribute.ts'

interface Interned {
  code: string
  value: AttributeValue
}

const minWasted = 1_024

export class AttributeColumns {
  /** By slot, the first of its values and how many there are. */
  #begin = new Int32Array(0)
  #count = new Int32Array(0)
  #numbers = new Int32Array(1_024)
  #used = 0
  /** Places that no slot uses any more. */
  #wasted = 0
  readonly #known = new Map<string, number>()
  /** The values by number. A value stays until the process ends. */
  readonly values: Interned[] = []

  write(slot: number, attributes: AttributeValues): void {
    const given = Object.entries(attributes)
    if (slot >= this.#begin.length) {
      // Most shops index attributes for few products or for none.
      if (given.length === 0) return
      const size = Math.max(1_024, slot * 2)
      this.#begin = widened(this.#begin, size)
      this.#count = widened(this.#count, size)
    }
    const capacity = this.#count[slot]!
    if (given.length > capacity) {
      this.#wasted += capacity
      this.#begin[slot] = this.#used
      this.#used += given.length
      if (this.#used > this.#numbers.length) this.#numbers = widened(this.#numbers, this.#used * 2)
    } else this.#wasted += capacity - given.length
    this.#count[slot] = given.length
    const begin = this.#begin[slot]!
    for (let at = 0; at < given.length; at++) this.#numbers[begin + at] = this.#numberOf(...given[at]!)
    if (this.#wasted > Math.max(minWasted, this.#used >> 1)) this.#compact()
  }

  /** Whether one of the row's values passes. The result for each value is cached, so the test must be pure. */
  passing(isWanted: (it: Interned) => boolean): (slot: number) => boolean {
    let results = new Uint8Array(0)
    return (slot) => {
      const begin = this.#begin[slot] ?? 0
      const end = begin + (this.#count[slot] ?? 0)
      for (let at = begin; at < end; at++) {
        const number = this.#numbers[at]!
        if (number >= results.length) results = new Uint8Array(this.values.length * 2)
        if (results[number] === 0) results[number] = isWanted(this.values[number]!) ? 1 : 2
        if (results[number] === 1) return true
      }
      return false
    }
  }

  /** By number of value, how many of the rows have it. */
  counts(slots: Int32Array): Uint32Array {
    const counts = new Uint32Array(this.values.length)
    if (this.#used === 0) return counts
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at]!
      const begin = this.#begin[slot] ?? 0
      const end = begin + (this.#count[slot] ?? 0)
      for (let place = begin; place < end; place++) counts[this.#numbers[place]!]!++
    }
    return counts
  }

  #numberOf(code: string, value: AttributeValue): number {
    const key = `${code} ${JSON.stringify(value)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.values.length)
    return this.values.push({ code, value }) - 1
  }

  /** Compacts the storage: used places become contiguous. */
  #compact(): void {
    const numbers = new Int32Array(Math.max(1_024, 2 * (this.#used - this.#wasted)))
    let used = 0
    for (let slot = 0; slot < this.#count.length; slot++) {
      const begin = this.#begin[slot]!
      numbers.set(this.#numbers.subarray(begin, begin + this.#count[slot]!), used)
      this.#begin[slot] = used
      used += this.#count[slot]!
    }
    this.#numbers = numbers
    this.#used = used
    this.#wasted = 0
  }
}

function widened(from: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(size)
  to.set(from)
  return to
}
