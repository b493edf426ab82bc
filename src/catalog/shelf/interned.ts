// Things that many products share, kept once and known by a small number.

/** Ids of brands, categories or partners, numbered in the order in which they were met. */
export class Numbered {
  readonly #numbers = new Map<number, number>()
  readonly ids: number[] = []

  get size(): number {
    return this.ids.length
  }

  /** −1 for an id never met. */
  find(id: number): number {
    return this.#numbers.get(id) ?? -1
  }

  of(id: number): number {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    this.#numbers.set(id, this.ids.length)
    return this.ids.push(id) - 1
  }
}

/** Sets of small numbers, each distinct set once. */
export class Sets {
  readonly #numbers = new Map<string, number>()
  readonly #sets: Int32Array[] = []

  get size(): number {
    return this.#sets.length
  }

  /** Sets are told apart by the order of their members too: it costs less than sorting. */
  of(members: number[]): number {
    const key = members.join()
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.#sets.length)
    return this.#sets.push(Int32Array.from(new Set(members))) - 1
  }

  at(set: number): Int32Array {
    return this.#sets[set]!
  }
}
