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

const rowsPerSet = 4

/** Members are numbered from 0 on, below this. */
const maxMember = 2 ** 24

/** Sets of small numbers, each distinct set stored once. All members are in one array: there may be as many sets as rows. */
export class InternedSets {
  /** A tree: by a node and the next member, the node that they lead to. The root is 0. */
  readonly #nodes = new Map<number, number>()
  /** By node, the set whose last member leads to it, plus one; 0 for none. */
  #sets = new Int32Array(64)
  #members = new Int32Array(64)
  /** By set, where its members begin; they end where those of the next set begin. */
  #begins = new Int32Array(64)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Members in another order make another set: that is cheaper than sorting. */
  of(members: readonly number[]): number {
    let node = 0
    for (let at = 0; at < members.length; at++) node = this.#nodeAfter(node, members[at]!)
    const known = this.#sets[node]!
    if (known > 0) return known - 1
    const set = this.#size++
    this.#sets[node] = set + 1
    const begin = this.#begins[set]!
    const own = [...new Set(members)]
    if (set + 1 >= this.#begins.length) this.#begins = widened(this.#begins, 2 * (set + 1))
    if (begin + own.length > this.#members.length)
      this.#members = widened(this.#members, 2 * (begin + own.length))
    this.#members.set(own, begin)
    this.#begins[set + 1] = begin + own.length
    return set
  }

  #nodeAfter(node: number, member: number): number {
    const step = node * maxMember + member
    const known = this.#nodes.get(step)
    if (known !== undefined) return known
    const next = this.#nodes.size + 1
    this.#nodes.set(step, next)
    if (next >= this.#sets.length) this.#sets = widened(this.#sets, 2 * next)
    return next
  }

  at(set: number): Int32Array {
    return this.#members.subarray(this.#begins[set]!, this.#begins[set + 1]!)
  }

  /** Visits the members of a set without a view of them: every change of a row asks. */
  each(set: number, visit: (member: number) => void): void {
    const end = this.#begins[set + 1]!
    for (let at = this.#begins[set]!; at < end; at++) visit(this.#members[at]!)
  }

  has(set: number, member: number): boolean {
    const end = this.#begins[set + 1]!
    for (let at = this.#begins[set]!; at < end; at++) if (this.#members[at] === member) return true
    return false
  }

  /** How many of the rows have each member; `column` holds the rows' sets. */
  countMembers(column: Int32Array, slots: Int32Array, counts: Uint32Array): void {
    const [members, begins] = [this.#members, this.#begins]
    // Rows that share few sets are counted by set first.
    const perSet = this.#size * rowsPerSet <= slots.length ? new Uint32Array(this.#size) : undefined
    for (let at = 0; at < slots.length; at++) {
      const set = column[slots[at]!]!
      if (perSet) perSet[set]!++
      else for (let place = begins[set]!; place < begins[set + 1]!; place++) counts[members[place]!]!++
    }
    for (let set = 0; perSet && set < perSet.length; set++)
      for (let place = begins[set]!; place < begins[set + 1]!; place++)
        counts[members[place]!]! += perSet[set]!
  }
}

function widened(from: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(size)
  to.set(from)
  return to
}
