// The values of a column in order, to count the rows of a range without reading them all. Changes are noted beside the
// sorted values and merged when they are many.

const maxChanges = 1_024

export class SortedValues {
  #sorted: Float64Array
  /** Values that were added and removed since they were sorted. */
  #added: number[] = []
  #removed: number[] = []

  /** NaN, no value, is left out. */
  constructor(values: Float64Array) {
    this.#sorted = values.filter((it) => !Number.isNaN(it)).sort()
  }

  /** Must be called for every change of a value; NaN means no value. */
  replace(old: number, value: number): void {
    if (old === value) return
    if (!Number.isNaN(old)) this.#removed.push(old)
    if (!Number.isNaN(value)) this.#added.push(value)
    if (this.#added.length + this.#removed.length > maxChanges) this.#merge()
  }

  /** How many values are in a range, its bounds included. */
  count(min: number, max: number): number {
    if (!(min <= max)) return 0
    const isWithin = (it: number) => it >= min && it <= max
    const changed = this.#added.filter(isWithin).length - this.#removed.filter(isWithin).length
    return firstAbove(this.#sorted, max) - firstFrom(this.#sorted, min) + changed
  }

  #merge(): void {
    const removed = new Map<number, number>()
    for (const it of this.#removed) removed.set(it, (removed.get(it) ?? 0) + 1)
    const all = new Float64Array(this.#sorted.length + this.#added.length)
    all.set(this.#sorted)
    all.set(this.#added, this.#sorted.length)
    let kept = 0
    for (let at = 0; at < all.length; at++) {
      const value = all[at]!
      const left = removed.get(value)
      if (left) removed.set(value, left - 1)
      else all[kept++] = value
    }
    this.#sorted = all.slice(0, kept).sort()
    this.#added = []
    this.#removed = []
  }
}

/** The first index whose value is not less; the length when there is none. */
function firstFrom(values: Float64Array, value: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The first index whose value is greater; the length when there is none. */
function firstAbove(values: Float64Array, value: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}
