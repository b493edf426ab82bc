// What can be bought in a region, read off the shelf's columns: for those who choose among many products at once. A
// product is known by its slot, which it keeps until its name changes or it goes.

import type { Columns } from './columns.ts'
import type { Region } from './item.ts'
import type { Filters } from './question.ts'
import { Sieve } from './sieve.ts'

export interface Buying {
  region: Region
  /** Only of this category and below; null for all. */
  categoryId: number | null
  /** Also what sellers have sent in and the shop has approved. */
  withModerated: boolean
}

/** The offer that a buyer would take of a product. */
export interface StallOffer {
  productId: number
  offerId: number
  isModerated: boolean
  partnerId: number
  categoryId: number
}

export class Stalls {
  readonly #columns: Columns
  readonly #buying: Buying
  readonly #sieve: Sieve

  constructor(columns: Columns, buying: Buying) {
    this.#columns = columns
    this.#buying = buying
    this.#sieve = new Sieve(columns, buying.region, buyable(buying))
  }

  /** −1 for a product that is not on the shelf. */
  slotOf(productId: number): number {
    return this.#columns.slotOf(productId) ?? -1
  }

  /** Whether a slot still is the product's. */
  isAt(slot: number, productId: number): boolean {
    return slot >= 0 && this.#columns.id[slot] === productId && this.#columns.alive[slot] === 1
  }

  sells(slot: number): boolean {
    return this.#sieve.passes(slot)
  }

  /** To be asked of what is sold. */
  offerAt(slot: number): StallOffer {
    const { id, in: regions, paths, path, categoryIds } = this.#columns
    const { offer, seller, sentIn, sentInSeller, sentInFirst } = regions[this.#buying.region]
    const isModerated = this.#buying.withModerated && sentIn[slot]! > 0 && sentInFirst[slot] === 1
    return {
      productId: id[slot]!,
      offerId: isModerated ? sentIn[slot]! : offer[slot]!,
      isModerated,
      partnerId: isModerated ? sentInSeller[slot]! : seller[slot]!,
      categoryId: categoryIds.ids[paths.at(path[slot]!).at(-1)!]!,
    }
  }
}

/** What a buyer can have, as filters. */
export const buyable = ({ categoryId, withModerated }: Omit<Buying, 'region'>): Filters => ({
  ...(withModerated ? { buyable: true } : { inStock: true }),
  ...(categoryId !== null && { categoryId }),
})
