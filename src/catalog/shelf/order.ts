// Slots in the order of one column, kept while the column changes. What moved stands in a small sorted list beside
// the large one, and is merged into it when that list has grown: a change costs microseconds, a page the same.

import type { Place } from './question.ts'

/** How slots stand to each other in one order, ties by id; and how a slot stands to a place in it. */
export interface Ranking {
  value(slot: number): Place['value']
  /** Those without a value stand last in both directions. */
  hasValue(slot: number): boolean
  compare(one: number, other: number): number
  compareTo(slot: number, place: Place): number
}

/** Sees the slots of an order one after the other until it says that it has seen enough. */
export type Visit = (slot: number) => 'on' | 'enough'

export class Order {
  readonly #ranking: Ranking
  readonly #valued: Sorted
  readonly #bare: Sorted

  /** `byId` puts in order what has no value. */
  constructor(ranking: Ranking, byId: Ranking, slots: Int32Array) {
    this.#ranking = ranking
    this.#valued = new Sorted(
      ranking,
      slots.filter((it) => ranking.hasValue(it)),
    )
    this.#bare = new Sorted(
      byId,
      slots.filter((it) => !ranking.hasValue(it)),
    )
  }

  /** Finds a slot its place anew after its value changed, or it came. */
  place(slot: number): void {
    this.remove(slot)
    if (this.#ranking.hasValue(slot)) this.#valued.add(slot)
    else this.#bare.add(slot)
  }

  remove(slot: number): void {
    this.#valued.remove(slot)
    this.#bare.remove(slot)
  }

  walk(direction: 'up' | 'down', after: Place | undefined, visit: Visit): void {
    const inBare = after?.value === null
    const ended = inBare || this.#valued.walk(direction, after, visit) === 'on'
    if (ended) this.#bare.walk(direction, inBare ? after : undefined, visit)
  }
}

const mostMoved = 1024
const absent = 0
const settled = 1
const moved = 2

class Sorted {
  readonly #ranking: Ranking
  #base: Int32Array
  /** Slots that came or moved since `#base` was made, sorted. */
  #moved: number[] = []
  /** Where each slot stands. What `#base` names but is not settled is passed over. */
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
    if (this.#moved.length > mostMoved) this.#merge()
  }

  /** The slot's value may have changed already, so its old place is not looked for by value. */
  remove(slot: number): void {
    if (this.#where[slot] === moved) this.#moved.splice(this.#moved.indexOf(slot), 1)
    if (slot < this.#where.length) this.#where[slot] = absent
  }

  walk(direction: 'up' | 'down', after: Place | undefined, visit: Visit): 'on' | 'enough' {
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
      if (one === undefined && other === undefined) return 'on'
      const takesOne = other === undefined || (one !== undefined && compare(one, other) * step < 0)
      if (takesOne) at += step
      else beside += step
      if (visit(takesOne ? one! : other) === 'enough') return 'enough'
    }
  }

  /** The values of slots that are not settled say nothing of where they stand: the next settled one speaks. */
  #firstSettled(holds: (slot: number) => boolean): number {
    let low = 0
    let high = this.#base.length
    while (low < high) {
      const middle = (low + high) >>> 1
      let speaker = middle
      while (speaker < high && this.#where[this.#base[speaker]!] !== settled) speaker++
      if (speaker === high || holds(this.#base[speaker]!)) high = middle
      else low = speaker + 1
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

  #widen(least: number): void {
    const where = new Uint8Array(Math.max(least, this.#where.length * 2))
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
