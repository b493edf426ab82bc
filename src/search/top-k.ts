// The first k of many values without sorting the rest: a heap whose root is the last of the k.

export class TopK {
  readonly #size: number
  readonly #compare: (one: number, other: number) => number
  readonly #heap: number[] = []

  constructor(size: number, compare: (one: number, other: number) => number) {
    this.#size = size
    this.#compare = compare
  }

  add(value: number): void {
    const heap = this.#heap
    if (heap.length < this.#size) {
      heap.push(value)
      this.#rise(heap.length - 1)
    } else if (this.#size > 0 && this.#compare(value, heap[0]!) < 0) {
      heap[0] = value
      this.#sink()
    }
  }

  get isFull(): boolean {
    return this.#heap.length === this.#size
  }

  /** The last of the values so far; undefined when there is none. */
  get last(): number | undefined {
    return this.#heap[0]
  }

  sorted(): number[] {
    return this.#heap.toSorted(this.#compare)
  }

  #rise(at: number): void {
    const heap = this.#heap
    const value = heap[at]!
    while (at > 0) {
      const above = (at - 1) >>> 1
      if (this.#compare(value, heap[above]!) <= 0) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = value
  }

  #sink(): void {
    const heap = this.#heap
    const value = heap[0]!
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && this.#compare(heap[below + 1]!, heap[below]!) > 0) below++
      if (this.#compare(value, heap[below]!) >= 0) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = value
  }
}
