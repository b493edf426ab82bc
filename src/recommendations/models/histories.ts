// The interactions of all buyers in columns: ten million of them take 130 MB, as objects they would take a gigabyte.

import { type InteractionKind, interactionKinds } from '../interactions/interaction.ts'
import type { ItemInteraction } from '../serving/buyer-profile.ts'

/** The interactions of one buyer, oldest first. */
export type Steps = readonly ItemInteraction[]

/** The interactions of buyers: arrays, or the columns below. */
export interface Buyers extends Iterable<Steps> {
  readonly length: number
}

/** By text, so that codes are in the same order as kinds. */
const kindsByCode: readonly InteractionKind[] = interactionKinds.toSorted()
export const codeOf = Object.fromEntries(kindsByCode.map((kind, code) => [kind, code])) as Record<
  InteractionKind,
  number
>

/** Shared between threads. */
export interface HistoryColumns {
  /** By buyer, the first of its steps and the one after the last. */
  starts: Int32Array
  ends: Int32Array
  /** By step. */
  items: Int32Array
  kinds: Uint8Array
  /** In days, with a fraction. */
  days: Float64Array
}

export class Histories implements Buyers {
  readonly columns: HistoryColumns

  constructor(columns: HistoryColumns) {
    this.columns = columns
  }

  get length(): number {
    return this.columns.starts.length
  }

  /** The number of all interactions. */
  get size(): number {
    const { starts, ends } = this.columns
    let sum = 0
    for (let buyer = 0; buyer < starts.length; buyer++) sum += ends[buyer]! - starts[buyer]!
    return sum
  }

  /** The interactions of one buyer as objects, for as long as the caller needs them. */
  of(buyer: number): ItemInteraction[] {
    const { starts, ends, items, kinds, days } = this.columns
    const start = starts[buyer]!
    const steps: ItemInteraction[] = []
    for (let at = start; at < ends[buyer]!; at++)
      steps.push({ item: items[at]!, kind: kindsByCode[kinds[at]!]!, day: days[at]! })
    return steps
  }

  /** The day of a buyer's last interaction; undefined without any. */
  lastDayOf(buyer: number): number | undefined {
    const { starts, ends, days } = this.columns
    return ends[buyer]! > starts[buyer]! ? days[ends[buyer]! - 1]! : undefined
  }

  *[Symbol.iterator](): Generator<ItemInteraction[], undefined> {
    for (let buyer = 0; buyer < this.length; buyer++) yield this.of(buyer)
    return undefined
  }

  /** Every n-th buyer, in the same columns. */
  everyNth(n: number): Histories {
    const isChosen = (_: number, buyer: number) => buyer % n === 0
    const { starts, ends } = this.columns
    return new Histories({ ...this.columns, starts: starts.filter(isChosen), ends: ends.filter(isChosen) })
  }

  /** The interactions before a day, in the same columns. */
  before(day: number): Histories {
    const { starts, ends, days } = this.columns
    const earlier = ends.map((end, buyer) => {
      let at = end
      while (at > starts[buyer]! && days[at - 1]! >= day) at--
      return at
    })
    return new Histories({ ...this.columns, ends: earlier })
  }
}

const firstRoom = 1 << 16

/** Collects interactions of interleaved buyers. */
export class HistoryCollector {
  readonly #numberOf = new Map<string, number>()
  #counts = new Int32Array(firstRoom)
  #owners = new Int32Array(firstRoom)
  #items = new Int32Array(firstRoom)
  #kinds = new Uint8Array(firstRoom)
  #days = new Float64Array(firstRoom)
  #size = 0

  /** More than `most` interactions of a buyer are left out. */
  add(buyer: string, { item, kind, day }: ItemInteraction, most = Infinity): void {
    const owner = this.#numberOf.get(buyer) ?? this.#numberOf.size
    if (owner === this.#numberOf.size) this.#numberOf.set(buyer, owner)
    if (owner >= this.#counts.length) this.#counts = grown(this.#counts, Int32Array)
    if (this.#counts[owner]! >= most) return
    if (this.#size === this.#owners.length) this.#grow()
    this.#counts[owner]! += 1
    this.#owners[this.#size] = owner
    this.#items[this.#size] = item
    this.#kinds[this.#size] = codeOf[kind]
    this.#days[this.#size++] = day
  }

  /** Buyers in the order of their keys. The collector is empty afterwards. */
  result(): { keys: readonly string[]; histories: Histories } {
    const keys = [...this.#numberOf.keys()].sort((a, b) => (a < b ? -1 : 1))
    const columns = newColumns(keys.length, this.#size)
    const next = new Int32Array(keys.length)
    let start = 0
    keys.forEach((key, place) => {
      const owner = this.#numberOf.get(key)!
      columns.starts[place] = start
      next[owner] = start
      start += this.#counts[owner]!
      columns.ends[place] = start
    })
    for (let at = 0; at < this.#size; at++) {
      const to = next[this.#owners[at]!]!++
      columns.items[to] = this.#items[at]!
      columns.kinds[to] = this.#kinds[at]!
      columns.days[to] = this.#days[at]!
    }
    this.#numberOf.clear()
    this.#size = 0
    this.#owners = this.#items = new Int32Array(firstRoom)
    this.#kinds = new Uint8Array(firstRoom)
    this.#days = new Float64Array(firstRoom)
    orderByTime(columns)
    return { keys, histories: new Histories(columns) }
  }

  #grow(): void {
    this.#owners = grown(this.#owners, Int32Array)
    this.#items = grown(this.#items, Int32Array)
    this.#kinds = grown(this.#kinds, Uint8Array)
    this.#days = grown(this.#days, Float64Array)
  }
}

const grown = <T extends Int32Array | Uint8Array | Float64Array>(
  before: T,
  kind: new (length: number) => T,
): T => {
  const after = new kind(Math.ceil(before.length * 1.5))
  after.set(before)
  return after
}

function newColumns(buyers: number, steps: number): HistoryColumns {
  const shared = (bytes: number) => new SharedArrayBuffer(Math.max(8, bytes))
  return {
    starts: new Int32Array(shared(buyers * 4), 0, buyers),
    ends: new Int32Array(shared(buyers * 4), 0, buyers),
    items: new Int32Array(shared(steps * 4), 0, steps),
    kinds: new Uint8Array(shared(steps), 0, steps),
    days: new Float64Array(shared(steps * 8), 0, steps),
  }
}

/** Buyers in the order given; columns stay as they are. */
export function historiesOf(buyers: Buyers): Histories {
  if (buyers instanceof Histories) return buyers
  let size = 0
  for (const steps of buyers) size += steps.length
  const columns = newColumns(buyers.length, size)
  let [buyer, at] = [0, 0]
  for (const steps of buyers) {
    columns.starts[buyer] = at
    for (const { item, kind, day } of steps) {
      columns.items[at] = item
      columns.kinds[at] = codeOf[kind]
      columns.days[at++] = day
    }
    columns.ends[buyer++] = at
  }
  orderByTime(columns)
  return new Histories(columns)
}

/**
 * Puts the steps of each buyer in order of time. Interactions of one instant have no order, for example the lines of an
 * imported order: a hash puts them in an order that depends on nothing else, so that no model learns the order of a file.
 */
function orderByTime({ starts, ends, items, kinds, days }: HistoryColumns): void {
  for (let buyer = 0; buyer < starts.length; buyer++) {
    const [start, end] = [starts[buyer]!, ends[buyer]!]
    if (!isUnordered(days, start, end)) continue
    const own = {
      items: items.slice(start, end),
      kinds: kinds.slice(start, end),
      days: days.slice(start, end),
    }
    const places = Int32Array.from({ length: end - start }, (_, at) => at).sort(
      (a, b) =>
        own.days[a]! - own.days[b]! ||
        hashOf(own.items[a]!, buyer) - hashOf(own.items[b]!, buyer) ||
        own.kinds[a]! - own.kinds[b]!,
    )
    places.forEach((from, at) => {
      items[start + at] = own.items[from]!
      kinds[start + at] = own.kinds[from]!
      days[start + at] = own.days[from]!
    })
  }
}

/** Whether two neighbours have the same instant or the wrong order. */
function isUnordered(days: Float64Array, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) if (days[at]! <= days[at - 1]!) return true
  return false
}

const hashOf = (item: number, buyer: number): number =>
  Math.imul(Math.imul(item + 1, 0x9e3779b1) ^ (buyer + 1), 0x85ebca6b) >>> 0
