// Sorted lists of integers, very many and mostly very short, in a few large arrays. A list's capacity is a power of two;
// a full list moves to a block twice as large. A long list has an array of its own, of which little is empty: few words
// of common sentences have most of all values.

const chunkBits = 18
const maxBlockBits = 12
const chunkSize = 1 << chunkBits
/** A list with more values has an array of its own, which grows by this factor. */
const maxBlock = 1 << maxBlockBits
const longGrowth = 1.2
const none = new Uint32Array(0)

export class Postings {
  readonly #chunks: Uint32Array[] = []
  /** Freed blocks by the logarithm of their size. */
  readonly #free: number[][] = []
  #filled = chunkSize
  #current = -1
  #addresses = new Uint32Array(64)
  #lengths = new Uint32Array(64)
  readonly #long: Uint32Array[] = []
  /** 0 for a list without a block. The address of a list with more than `maxBlock` is its place in `#long`. */
  #capacities = new Uint32Array(64)

  length(list: number): number {
    return this.#lengths[list] ?? 0
  }

  /** A view of the list's memory: valid until the next change. */
  view(list: number): Uint32Array {
    const length = this.length(list)
    if (length === 0) return none
    const address = this.#addresses[list]!
    if (this.#capacities[list]! > maxBlock) return this.#long[address]!.subarray(0, length)
    const start = address & (chunkSize - 1)
    return this.#chunks[address >>> chunkBits]!.subarray(start, start + length)
  }

  /** The same as signed integers, for lists of slots. */
  slots(list: number): Int32Array {
    const { buffer, byteOffset, length } = this.view(list)
    return new Int32Array(buffer, byteOffset, length)
  }

  /** Adds a value that is not in the list. Appending is cheapest. */
  add(list: number, value: number): void {
    if (list >= this.#lengths.length) this.#widen(list + 1)
    const length = this.#lengths[list]!
    if (length === this.#capacities[list]) this.#move(list)
    const address = this.#addresses[list]!
    const isLong = this.#capacities[list]! > maxBlock
    const chunk = isLong ? this.#long[address]! : this.#chunks[address >>> chunkBits]!
    const start = isLong ? 0 : address & (chunkSize - 1)
    let at = start + length
    if (length > 0 && chunk[at - 1]! > value) {
      at = lowerBound(chunk, value, start, at)
      chunk.copyWithin(at + 1, at, start + length)
    }
    chunk[at] = value
    this.#lengths[list] = length + 1
  }

  remove(list: number, value: number): void {
    const values = this.view(list)
    const at = lowerBound(values, value, 0, values.length)
    if (values[at] !== value) return
    values.copyWithin(at, at + 1)
    this.#shorten(list, values.length - 1)
  }

  /** Removes the values for which `isStale` is true. */
  sweep(list: number, isStale: (value: number) => boolean): void {
    const values = this.view(list)
    let kept = 0
    for (const value of values) if (!isStale(value)) values[kept++] = value
    if (kept < values.length) this.#shorten(list, kept)
  }

  #shorten(list: number, length: number): void {
    this.#lengths[list] = length
    if (length > 0) return
    this.#release(list)
    this.#capacities[list] = 0
  }

  #move(list: number): void {
    const old = this.view(list)
    const capacity = Math.max(1, 2 * this.#capacities[list]!)
    if (capacity > maxBlock) {
      this.#lengthen(list, old)
      return
    }
    const address = this.#block(bitsOf(capacity))
    this.#chunks[address >>> chunkBits]!.set(old, address & (chunkSize - 1))
    if (old.length > 0) this.#release(list)
    this.#addresses[list] = address
    this.#capacities[list] = capacity
  }

  #lengthen(list: number, old: Uint32Array): void {
    const values = new Uint32Array(Math.ceil(old.length * longGrowth))
    values.set(old)
    if (this.#capacities[list]! > maxBlock) this.#long[this.#addresses[list]!] = values
    else {
      this.#release(list)
      this.#addresses[list] = this.#long.push(values) - 1
    }
    this.#capacities[list] = values.length
  }

  #release(list: number): void {
    // The place of a long list that became empty is not used again: this is rare.
    if (this.#capacities[list]! > maxBlock) this.#long[this.#addresses[list]!] = none
    else (this.#free[bitsOf(this.#capacities[list]!)] ??= []).push(this.#addresses[list]!)
  }

  /** A freed block of this size, or the first part of a larger one, else fresh memory. */
  #block(bits: number): number {
    for (let larger = bits; larger <= maxBlockBits; larger++) {
      const freed = this.#free[larger]?.pop()
      if (freed === undefined) continue
      for (let half = larger - 1; half >= bits; half--) (this.#free[half] ??= []).push(freed + (1 << half))
      return freed
    }
    const size = 1 << bits
    if (this.#filled + size > chunkSize) {
      this.#current = this.#chunks.push(new Uint32Array(chunkSize)) - 1
      this.#filled = 0
    }
    const address = (this.#current << chunkBits) | this.#filled
    this.#filled += size
    return address
  }

  #widen(minSize: number): void {
    const size = Math.max(minSize, Math.ceil(this.#lengths.length * 1.5))
    this.#addresses = widened(this.#addresses, size)
    this.#lengths = widened(this.#lengths, size)
    this.#capacities = widened(this.#capacities, size)
  }
}

function widened(from: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(size)
  to.set(from)
  return to
}

/** The logarithm of a power of two. */
const bitsOf = (power: number): number => 31 - Math.clz32(power)

/** The first index in [low, high) whose value is not less; `high` when there is none. */
export function lowerBound(values: Uint32Array, value: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** So many values are read one by one before larger steps are taken. */
const nearValues = 16

/** The same from `from` on, for values that are asked for in ascending order: the next is mostly near. */
export function nextBound(values: Uint32Array, value: number, from: number): number {
  let low = from
  const near = Math.min(from + nearValues, values.length)
  while (low < near && values[low]! < value) low++
  if (low < near || low === values.length) return low
  let high = low
  for (let step = nearValues; high < values.length && values[high]! < value; step *= 2) {
    low = high + 1
    high += step
  }
  return lowerBound(values, value, low, Math.min(high, values.length))
}
