// Values that many rows share, stored once and referred to by a small number.

/** Ids numbered in the order in which they are first used. */
export class InternedIds {
  readonly #numbers = new Map<number, number>()
  readonly ids: number[] = []

  get size(): number {
    return this.ids.length
  }

  /** −1 for an unknown id. */
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

/** Sets of small numbers, each distinct set stored once. */
export class InternedSets {
  readonly #numbers = new Map<string, number>()
  readonly #sets: Int32Array[] = []

  get size(): number {
    return this.#sets.length
  }

  /** Members in another order make another set: that is cheaper than sorting. */
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
