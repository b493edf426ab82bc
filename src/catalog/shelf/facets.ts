// Counts beside a list: how many products each brand, partner, category, price and rating would leave.

import { type Columns } from './columns.ts'
import type { Numbered } from './interned.ts'
import { bandBegin, bandEnd, priceBands } from './price-band.ts'
import type { Count, Facets } from './question.ts'
import type { Region } from './item.ts'
import { failed } from './sieve.ts'

/** At most so many of a kind are told: the rest helps nobody to choose. */
const mostCounts = 100
const ratingSteps = [4.5, 4, 3, 2, 1]

export class FacetCounter {
  readonly #columns: Columns
  readonly #region: Region
  readonly #brands: Uint32Array
  readonly #partners: Uint32Array
  readonly #categories: Uint32Array
  readonly #bands = new Uint32Array(priceBands)
  readonly #ratings = new Uint32Array(ratingSteps.length)
  #lowest = Number.POSITIVE_INFINITY
  #highest = Number.NEGATIVE_INFINITY
  #inStock = 0
  #outOfStock = 0

  constructor(columns: Columns, region: Region) {
    this.#columns = columns
    this.#region = region
    this.#brands = new Uint32Array(columns.brandIds.size)
    this.#partners = new Uint32Array(columns.partnerIds.size)
    this.#categories = new Uint32Array(columns.categoryIds.size)
  }

  /** Counts a row in every facet whose own filter is all it fails. */
  count(slot: number, fails: number): void {
    if (fails === 0 || fails === failed.brand) this.#countBrand(slot)
    if (fails === 0 || fails === failed.category) this.#countCategories(slot)
    if (fails === 0 || fails === failed.partner) this.#countPartners(slot)
    if (fails === 0 || fails === failed.price) this.#countPrice(slot)
    if (fails === 0 || fails === failed.rating) this.#countRating(slot)
    if (fails === 0 || fails === failed.stock) this.#countStock(slot)
  }

  facets(): Facets {
    const columns = this.#columns
    const isPriced = this.#highest >= this.#lowest
    return {
      brands: mostFrequent(this.#brands, columns.brandIds),
      partners: mostFrequent(this.#partners, columns.partnerIds),
      categories: mostFrequent(this.#categories, columns.categoryIds),
      price: {
        min: isPriced ? this.#lowest : null,
        max: isPriced ? this.#highest : null,
        buckets: [...this.#bands.entries()]
          .filter(([, count]) => count > 0)
          .map(([band, count]) => ({ from: bandBegin(band), to: bandEnd(band), count })),
      },
      rating: ratingSteps.map((from, at) => ({ from, count: this.#ratings[at]! })),
      inStock: { yes: this.#inStock, no: this.#outOfStock },
    }
  }

  #countBrand(slot: number): void {
    const brand = this.#columns.brand[slot]!
    if (brand >= 0) this.#brands[brand]!++
  }

  #countCategories(slot: number): void {
    const path = this.#columns.paths.at(this.#columns.path[slot]!)
    for (let at = 0; at < path.length; at++) this.#categories[path[at]!]!++
  }

  #countPartners(slot: number): void {
    const partners = this.#columns.partnerSets.at(this.#columns.in[this.#region].partners[slot]!)
    for (let at = 0; at < partners.length; at++) this.#partners[partners[at]!]!++
  }

  #countPrice(slot: number): void {
    const { price, priceBand } = this.#columns.in[this.#region]
    const its = price[slot]!
    if (Number.isNaN(its)) return
    this.#bands[priceBand[slot]!]!++
    if (its < this.#lowest) this.#lowest = its
    if (its > this.#highest) this.#highest = its
  }

  #countRating(slot: number): void {
    const rating = this.#columns.in[this.#region].rating[slot]!
    for (let at = ratingSteps.length - 1; at >= 0 && rating >= ratingSteps[at]!; at--) this.#ratings[at]!++
  }

  #countStock(slot: number): void {
    if (this.#columns.in[this.#region].inStock[slot] === 1) this.#inStock++
    else this.#outOfStock++
  }
}

function mostFrequent(counts: Uint32Array, numbered: Numbered): Count[] {
  const found: Count[] = []
  for (let at = 0; at < counts.length; at++)
    if (counts[at]! > 0) found.push({ id: numbered.ids[at]!, count: counts[at]! })
  return found.toSorted((a, b) => b.count - a.count || a.id - b.id).slice(0, mostCounts)
}
