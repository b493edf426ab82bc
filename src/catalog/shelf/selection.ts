// The first few of many in some order, without putting the rest in order: a heap whose root is the last of the few.

export class Selection {
  readonly #room: number
  readonly #compare: (one: number, other: number) => number
  readonly #heap: number[] = []

  constructor(room: number, compare: (one: number, other: number) => number) {
    this.#room = room
    this.#compare = compare
  }

  add(slot: number): void {
    const heap = this.#heap
    if (heap.length < this.#room) {
      heap.push(slot)
      this.#rise(heap.length - 1)
    } else if (this.#room > 0 && this.#compare(slot, heap[0]!) < 0) {
      heap[0] = slot
      this.#sink()
    }
  }

  inOrder(): number[] {
    return this.#heap.toSorted(this.#compare)
  }

  #rise(at: number): void {
    const heap = this.#heap
    const slot = heap[at]!
    while (at > 0) {
      const above = (at - 1) >>> 1
      if (this.#compare(slot, heap[above]!) <= 0) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = slot
  }

  #sink(): void {
    const heap = this.#heap
    const slot = heap[0]!
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && this.#compare(heap[below + 1]!, heap[below]!) > 0) below++
      if (this.#compare(slot, heap[below]!) >= 0) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = slot
  }
}
