// Slots in the order of one column, maintained while the column changes. Slots that moved are in a small sorted list beside
// the large one, which is merged when it has grown: a change and a page cost microseconds each.

/** A position in an order: the sort value (null sorts last in both directions) and the id. */
export interface Position {
  value: number | string | null
  id: number
}

/** Compares slots in one order, ties by id; and a slot with a position. */
export interface Ranking {
  value(slot: number): Position['value']
  /** Slots without a value sort last in both directions. */
  hasValue(slot: number): boolean
  compare(one: number, other: number): number
  compareTo(slot: number, position: Position): number
}

/** Called for one slot after the other until it returns 'stop'. */
export type Visit = (slot: number) => 'continue' | 'stop'

export class SortedOrder {
  readonly #ranking: Ranking
  readonly #withValue: SortedSlots
  readonly #withoutValue: SortedSlots

  /** `byId` orders the slots without a value. */
  constructor(ranking: Ranking, byId: Ranking, slots: Int32Array) {
    this.#ranking = ranking
    this.#withValue = new SortedSlots(
      ranking,
      slots.filter((it) => ranking.hasValue(it)),
    )
    this.#withoutValue = new SortedSlots(
      byId,
      slots.filter((it) => !ranking.hasValue(it)),
    )
  }

  /** Inserts a slot, or moves it after its value changed. */
  place(slot: number): void {
    this.remove(slot)
    if (this.#ranking.hasValue(slot)) this.#withValue.add(slot)
    else this.#withoutValue.add(slot)
  }

  remove(slot: number): void {
    this.#withValue.remove(slot)
    this.#withoutValue.remove(slot)
  }

  walk(direction: 'up' | 'down', after: Position | undefined, visit: Visit): void {
    const isAfterValues = after?.value === null
    const ended = isAfterValues || this.#withValue.walk(direction, after, visit) === 'continue'
    if (ended) this.#withoutValue.walk(direction, isAfterValues ? after : undefined, visit)
  }
}

const maxMoved = 1024
const absent = 0
const settled = 1
const moved = 2

class SortedSlots {
  readonly #ranking: Ranking
  #base: Int32Array
  /** Slots that were added or moved since `#base` was built, sorted. */
  #moved: number[] = []
  /** Where each slot is. Slots of `#base` that are not settled are skipped. */
  #where: Uint8Array

  constructor(ranking: Ranking, slots: Int32Array) {
    this.#ranking = ranking
    this.#base = slots.sort(ranking.compare)
    this.#where = new Uint8Array(slots.reduce((most, it) => Math.max(most, it + 1), 1024))
    for (const slot of slots) this.#where[slot] = settled
  }

  add(slot: number): void {
    if (slot >= this.#where.length) this.#widen(slot + 1)
    this.#where[slot] = moved
    this.#moved.splice(
      firstWhere(0, this.#moved.length, (at) => this.#ranking.compare(this.#moved[at]!, slot) > 0),
      0,
      slot,
    )
    if (this.#moved.length > maxMoved) this.#merge()
  }

  /** The slot's value may have changed already, so its old position cannot be found by value. */
  remove(slot: number): void {
    if (this.#where[slot] === moved) this.#moved.splice(this.#moved.indexOf(slot), 1)
    if (slot < this.#where.length) this.#where[slot] = absent
  }

  walk(direction: 'up' | 'down', after: Position | undefined, visit: Visit): 'continue' | 'stop' {
    const { compare, compareTo } = this.#ranking
    const step = direction === 'up' ? 1 : -1
    let at = step > 0 ? 0 : this.#base.length - 1
    let beside = step > 0 ? 0 : this.#moved.length - 1
    if (after) {
      const isBeyond = (slot: number) => (step > 0 ? compareTo(slot, after) > 0 : compareTo(slot, after) >= 0)
      at = this.#firstSettled(isBeyond) - (step > 0 ? 0 : 1)
      beside = firstWhere(0, this.#moved.length, (it) => isBeyond(this.#moved[it]!)) - (step > 0 ? 0 : 1)
    }
    for (;;) {
      while (at >= 0 && at < this.#base.length && this.#where[this.#base[at]!] !== settled) at += step
      const one = this.#base[at]
      const other = this.#moved[beside]
      if (one === undefined && other === undefined) return 'continue'
      const takesOne = other === undefined || (one !== undefined && compare(one, other) * step < 0)
      if (takesOne) at += step
      else beside += step
      if (visit(takesOne ? one! : other) === 'stop') return 'stop'
    }
  }

  /** Binary search. The values of unsettled slots do not match their positions, so the next settled slot is compared. */
  #firstSettled(holds: (slot: number) => boolean): number {
    let low = 0
    let high = this.#base.length
    while (low < high) {
      const middle = (low + high) >>> 1
      let probe = middle
      while (probe < high && this.#where[this.#base[probe]!] !== settled) probe++
      if (probe === high || holds(this.#base[probe]!)) high = middle
      else low = probe + 1
    }
    return low
  }

  #merge(): void {
    const base = this.#base.filter((it) => this.#where[it] === settled)
    const merged = new Int32Array(base.length + this.#moved.length)
    let at = 0
    let beside = 0
    for (let to = 0; to < merged.length; to++) {
      const takesBase =
        beside === this.#moved.length ||
        (at < base.length && this.#ranking.compare(base[at]!, this.#moved[beside]!) < 0)
      merged[to] = takesBase ? base[at++]! : this.#moved[beside++]!
    }
    for (const slot of this.#moved) this.#where[slot] = settled
    this.#base = merged
    this.#moved = []
  }

  #widen(minSize: number): void {
    const where = new Uint8Array(Math.max(minSize, this.#where.length * 2))
    where.set(this.#where)
    this.#where = where
  }
}

function firstWhere(low: number, high: number, holds: (at: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
