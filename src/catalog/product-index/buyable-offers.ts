// Which products can be bought in a region and by which offer, read from the index's columns. A product keeps its slot
// until its name changes or it is removed.

import type { Columns } from './columns.ts'
import type { Region } from './indexed-product.ts'
import type { Filters } from './query.ts'
import { RowFilter } from './row-filter.ts'

export interface BuyableScope {
  region: Region
  /** Only this category and those below it; null for all. */
  categoryId: number | null
  /** Also approved moderated offers. */
  withModerated: boolean
}

/** The best offer of a product. */
export interface BuyableOffer {
  productId: number
  offerId: number
  isModerated: boolean
  partnerId: number
  categoryId: number
}

/** Where a product stands in the shop, buyable or not. */
export interface ProductPlace {
  /** From the root to its own category. */
  categoryPath: number[]
  /** NaN without an offer in the region. */
  priceTiyin: number
}

export class BuyableOffers {
  readonly #columns: Columns
  readonly #scope: BuyableScope
  readonly #filter: RowFilter

  constructor(columns: Columns, scope: BuyableScope) {
    this.#columns = columns
    this.#scope = scope
    this.#filter = new RowFilter(columns, scope.region, buyableFilters(scope))
  }

  /** −1 for an unknown product. */
  slotOf(productId: number): number {
    return this.#columns.slotOf(productId) ?? -1
  }

  /** Whether a slot still belongs to the product. */
  isAt(slot: number, productId: number): boolean {
    return slot >= 0 && this.#columns.id[slot] === productId && this.#columns.alive[slot] === 1
  }

  has(slot: number): boolean {
    return this.#filter.passes(slot)
  }

  /** Valid only for slots that `has` accepts. */
  offerAt(slot: number): BuyableOffer {
    const { id, in: regions, paths, path, categoryIds } = this.#columns
    const { ordinary, moderated, moderatedFirst } = regions[this.#scope.region]
    const isModerated = this.#scope.withModerated && moderatedFirst[slot] === 1
    const offer = this.#columns.offerAt(slot, isModerated ? moderated[slot]! : ordinary[slot]!)
    return {
      productId: id[slot]!,
      offerId: offer.id,
      isModerated,
      partnerId: offer.partnerId,
      categoryId: categoryIds.ids[paths.at(path[slot]!).at(-1)!]!,
    }
  }

  /** Undefined for an unknown product. */
  placeOf(productId: number): ProductPlace | undefined {
    const slot = this.slotOf(productId)
    if (slot < 0) return undefined
    const { paths, path, categoryIds, in: regions } = this.#columns
    return {
      categoryPath: Array.from(paths.at(path[slot]!), (it) => categoryIds.ids[it]!),
      priceTiyin: regions[this.#scope.region].price[slot]!,
    }
  }

  /**
   * The most popular products of every category in the scope in turn: first one of each category, then a second one, up to
   * `perCategory`. Categories with more products come first. It reads all products of the scope.
   */
  popularOfEveryCategory(perCategory: number): number[] {
    const { path, popularity, id, inCategory, categoryIds } = this.#columns
    const { categoryId } = this.#scope
    const slots =
      categoryId === null ? this.#columns.aliveSlots() : inCategory.view(categoryIds.find(categoryId))
    const buyable = [...slots].filter((slot) => this.has(slot))
    const turns = [...Map.groupBy(buyable, (slot) => path[slot]!).values()]
      .toSorted((a, b) => b.length - a.length)
      .map((its) =>
        its
          .toSorted((a, b) => popularity[b]! - popularity[a]! || spread(id[a]!) - spread(id[b]!))
          .slice(0, perCategory),
      )
    return Array.from({ length: perCategory }, (_, turn) =>
      turns.flatMap((its) => (turn < its.length ? [id[its[turn]!]!] : [])),
    ).flat()
  }
}

/** An order in which products with successive ids, often one product in several colours, are far apart. */
const spread = (id: number): number => Math.imul(id, 0x9e3779b1) >>> 0

export const buyableFilters = ({ categoryId, withModerated }: Omit<BuyableScope, 'region'>): Filters => ({
  ...(withModerated ? { buyable: true } : { inStock: true }),
  ...(categoryId !== null && { categoryId }),
})
