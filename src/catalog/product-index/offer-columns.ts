// The offers of the indexed products at their usual prices, in columns. Prices are recomputed from them when promotions
// start or end, without a database query.

import { InternedIds } from '../../search/index.ts'
import { type IndexedOffer, type Region, regions } from './indexed-product.ts'

const inStock = 1
const regionBits: Record<Region, number> = { home: 2, global: 4 }
const moderated = 8
/** By bits, the regions that they stand for. */
const regionsOf: readonly Region[][] = Array.from({ length: 8 }, (_, bits) =>
  regions.filter((it) => bits & regionBits[it]),
)

const minWasted = 1_024

/** A quarter more than is needed, so that a column seldom has to be copied and little of it is empty. */
export const grownSize = (needed: number): number => Math.max(1_024, Math.ceil(needed * 1.25))

export class OfferColumns {
  /** By slot, the first row of its offers and how many there are. */
  #begin = new Int32Array(1_024)
  #count = new Int32Array(1_024)
  #used = 0
  /** Rows that no slot uses any more. */
  #wasted = 0
  #id = new Float64Array(1_024)
  /** Numbers of partners. */
  #partner = new Int32Array(1_024)
  readonly #partnerIds = new InternedIds()
  #price = new Float64Array(1_024)
  /** NaN for none. */
  #old = new Float64Array(1_024)
  #rating = new Float64Array(1_024)
  #bits = new Uint8Array(1_024)

  at(slot: number): IndexedOffer[] {
    const begin = this.#begin[slot]!
    return Array.from({ length: this.#count[slot] ?? 0 }, (_, at) => this.#row(begin + at))
  }

  idsAt(slot: number, place: number): { id: number; partnerId: number } {
    const row = this.#begin[slot]! + place
    return { id: this.#id[row]!, partnerId: this.#partnerIds.ids[this.#partner[row]!]! }
  }

  write(slot: number, offers: readonly IndexedOffer[]): void {
    if (slot >= this.#begin.length) {
      const size = grownSize(slot)
      this.#begin = widened(this.#begin, new Int32Array(size))
      this.#count = widened(this.#count, new Int32Array(size))
    }
    const capacity = this.#count[slot]!
    if (offers.length > capacity) {
      this.#wasted += capacity
      this.#begin[slot] = this.#used
      this.#used += offers.length
      if (this.#used > this.#id.length) this.#widen(grownSize(this.#used))
    } else this.#wasted += capacity - offers.length
    this.#count[slot] = offers.length
    for (let at = 0; at < offers.length; at++) this.#writeRow(this.#begin[slot]! + at, offers[at]!)
    if (this.#wasted > Math.max(minWasted, this.#used >> 1)) this.#compact()
  }

  #row(row: number): IndexedOffer {
    const bits = this.#bits[row]!
    const old = this.#old[row]!
    return {
      id: this.#id[row]!,
      partnerId: this.#partnerIds.ids[this.#partner[row]!]!,
      priceTiyin: this.#price[row]!,
      oldPriceTiyin: Number.isNaN(old) ? null : old,
      quantity: bits & inStock,
      rating: this.#rating[row]!,
      regions: regionsOf[bits & ~inStock & ~moderated]!,
      isModerated: (bits & moderated) > 0,
    }
  }

  #writeRow(row: number, it: IndexedOffer): void {
    this.#id[row] = it.id
    this.#partner[row] = this.#partnerIds.of(it.partnerId)
    this.#price[row] = it.priceTiyin
    this.#old[row] = it.oldPriceTiyin ?? Number.NaN
    this.#rating[row] = it.rating
    let bits = (it.quantity > 0 ? inStock : 0) | (it.isModerated ? moderated : 0)
    for (const region of it.regions) bits |= regionBits[region]
    this.#bits[row] = bits
  }

  /** Moves the used rows next to each other. */
  #compact(): void {
    const kept = new OfferColumns()
    kept.#widen(grownSize(this.#used - this.#wasted))
    let used = 0
    for (let slot = 0; slot < this.#count.length; slot++) {
      const begin = this.#begin[slot]!
      const end = begin + this.#count[slot]!
      this.#begin[slot] = used
      for (let row = begin; row < end; row++) kept.#copy(this, row, used++)
    }
    this.#used = used
    this.#wasted = 0
    this.#id = kept.#id
    this.#partner = kept.#partner
    this.#price = kept.#price
    this.#old = kept.#old
    this.#rating = kept.#rating
    this.#bits = kept.#bits
  }

  #copy(from: OfferColumns, row: number, to: number): void {
    this.#id[to] = from.#id[row]!
    this.#partner[to] = from.#partner[row]!
    this.#price[to] = from.#price[row]!
    this.#old[to] = from.#old[row]!
    this.#rating[to] = from.#rating[row]!
    this.#bits[to] = from.#bits[row]!
  }

  #widen(size: number): void {
    this.#id = widened(this.#id, new Float64Array(size))
    this.#partner = widened(this.#partner, new Int32Array(size))
    this.#price = widened(this.#price, new Float64Array(size))
    this.#old = widened(this.#old, new Float64Array(size))
    this.#rating = widened(this.#rating, new Float64Array(size))
    this.#bits = widened(this.#bits, new Uint8Array(size))
  }
}

const widened = <T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T => (to.set(from), to)
