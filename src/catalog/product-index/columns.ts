// One row per product and one typed array per column: what filters, facets and orders read. A row is known by its slot.

import { InternedIds, InternedSets, type Language, Postings, SortedValues } from '../../search/index.ts'
import { AttributeColumns } from './attribute-columns.ts'
import { availabilityOf, boostOf } from './boost.ts'
import {
  type IndexedOffer,
  type IndexedProduct,
  type OfferPricing,
  partnersIn,
  type ProductScope,
  type Region,
  regions,
  summaryIn,
} from './indexed-product.ts'
import { NameColumns } from './name-columns.ts'
import { grownSize, OfferColumns } from './offer-columns.ts'
import { priceBand } from './price-bands.ts'
import { ratingStep } from './rating-steps.ts'

const none = {}
const noMembers: readonly number[] = []

/** NaN means no price, no rating and no discount. A slot without a product has no price. */
export interface RegionColumns {
  price: Float64Array
  rating: Float64Array
  /** The step that the rating reaches, to count by it. */
  ratingStep: Uint8Array
  discount: Float64Array
  priceBand: Uint8Array
  inStock: Uint8Array
  /** The factor of a search score. */
  boost: Float64Array
  /** The number of the set of partners. */
  partners: Int32Array
  /** The best ordinary and the best moderated offer in stock: the place among the product's offers plus one; 0 for none. */
  ordinary: Int32Array
  moderated: Int32Array
  /** 1 when the moderated one is better than the ordinary one. */
  moderatedFirst: Uint8Array
}

/** The interned numbers of a row's brand, category path and sets of partners. */
interface Grouping {
  brand: number
  path: number
  home: number
  global: number
}

export class Columns {
  /** How many products there are. */
  size = 0
  /** Slots that were ever used: rows have numbers below it. */
  slots = 0
  readonly brandIds = new InternedIds()
  readonly categoryIds = new InternedIds()
  readonly partnerIds = new InternedIds()
  readonly paths = new InternedSets()
  partnerSets = new InternedSets()
  /** Slots by category, brand and partner (of any region). */
  readonly inCategory = new Postings()
  readonly ofBrand = new Postings()
  readonly ofPartner = new Postings()

  readonly attributes = new AttributeColumns()

  alive = new Uint8Array(0)
  id = new Float64Array(0)
  created = new Float64Array(0)
  popularity = new Float64Array(0)
  /** Part of the factor of a search score: popular products and short names count more. */
  weight = new Float32Array(0)
  /** −1 for no brand. */
  brand = new Int32Array(0)
  path = new Int32Array(0)
  readonly names = new NameColumns()
  readonly in: Record<Region, RegionColumns> = { home: noRows(), global: noRows() }
  /** Applied to every offer; undefined when no promotion changes prices. */
  pricing: OfferPricing | undefined

  readonly #offers = new OfferColumns()
  readonly #slots = new Map<number, number>()
  readonly #free: number[] = []
  #aliveSlots: Int32Array | undefined
  /** By region, the prices in order; made when they are first counted. */
  readonly #sortedPrices: Partial<Record<Region, SortedValues>> = {}

  slotOf(id: number): number | undefined {
    return this.#slots.get(id)
  }

  /** Must not be changed: it is kept until a product is added or removed. */
  aliveSlots(): Int32Array {
    if (this.#aliveSlots) return this.#aliveSlots
    const slots = new Int32Array(this.size)
    for (let slot = 0, at = 0; slot < this.slots; slot++) if (this.alive[slot] === 1) slots[at++] = slot
    return (this.#aliveSlots = slots)
  }

  /** How many products have a price in the range. */
  countPriced(region: Region, { min, max }: { min: number; max: number }): number {
    const { price } = this.in[region]
    const sorted = (this.#sortedPrices[region] ??= new SortedValues(
      Float64Array.from(this.aliveSlots(), (slot) => price[slot]!),
    ))
    return sorted.count(min, max)
  }

  countInCategory(categoryId: number): number {
    return this.inCategory.length(this.categoryIds.find(categoryId))
  }

  countOfBrand(brandId: number): number {
    return this.ofBrand.length(this.brandIds.find(brandId))
  }

  /** Allocates a slot for a new product. */
  allocate(id: number): number {
    const slot = this.#free.pop() ?? this.slots++
    if (slot >= this.alive.length) this.#widen(grownSize(slot))
    this.#slots.set(id, slot)
    this.alive[slot] = 1
    this.id[slot] = id
    const { brand, path, home, global } = this.#emptyGrouping()
    this.brand[slot] = brand
    this.path[slot] = path
    this.in.home.partners[slot] = home
    this.in.global.partners[slot] = global
    this.size++
    this.#aliveSlots = undefined
    return slot
  }

  /** Must be called before `write` when the name is new. */
  writeNames(slot: number, product: IndexedProduct): void {
    this.names.write(slot, product.name)
  }

  nameOf(slot: number, language: Language): string {
    return this.names.at(slot, language)
  }

  writePopularity(slot: number, popularity: number): void {
    this.popularity[slot] = popularity
    this.weight[slot] = weightOf(popularity, this.names.countWords(slot))
    for (const region of regions) this.#writeBoost(slot, region)
  }

  /** Replaces the row of a slot. */
  write(slot: number, product: IndexedProduct): void {
    this.created[slot] = product.createdAtMs
    this.writePopularity(slot, product.popularity)
    this.#offers.write(slot, product.offers)
    this.attributes.write(slot, product.attributes ?? none)
    const offers = this.#priced(product.offers, product)
    const grouping = {
      brand: product.brandId === null ? -1 : this.brandIds.of(product.brandId),
      path: this.paths.of(product.categoryPath.map((id) => this.categoryIds.of(id))),
      home: this.#partnerSet(product, 'home'),
      global: this.#partnerSet(product, 'global'),
    }
    for (const region of regions) this.#writeSummary(slot, region, offers)
    this.#regroup(slot, grouping)
    this.#compactPartnerSets()
  }

  /** Recomputes prices, if the slot is in use. Partners and regions do not change. */
  reprice(slot: number): void {
    if (this.alive[slot] === 0) return
    const offers = this.#priced(this.#offers.at(slot), {
      brandId: this.brandIds.ids[this.brand[slot]!] ?? null,
      categoryPath: Array.from(this.paths.at(this.path[slot]!), (it) => this.categoryIds.ids[it]!),
    })
    for (const region of regions) this.#writeSummary(slot, region, offers)
  }

  /** Id and partner of an offer of a product, by its place plus one. */
  offerAt(slot: number, place: number): { id: number; partnerId: number } {
    return this.#offers.idsAt(slot, place - 1)
  }

  slotsIn({ productIds, categoryIds, brandIds, partnerIds }: ProductScope): Set<number> {
    const found = new Set<number>()
    const add = (slots: Iterable<number>) => {
      for (const slot of slots) found.add(slot)
    }
    add(productIds.map((id) => this.#slots.get(id)).filter((it) => it !== undefined))
    for (const id of categoryIds) add(this.inCategory.view(this.categoryIds.find(id)))
    for (const id of brandIds) add(this.ofBrand.view(this.brandIds.find(id)))
    for (const id of partnerIds) add(this.ofPartner.view(this.partnerIds.find(id)))
    return found
  }

  #priced(
    offers: readonly IndexedOffer[],
    product: Pick<IndexedProduct, 'brandId' | 'categoryPath'>,
  ): readonly IndexedOffer[] {
    const { pricing } = this
    return pricing ? offers.map((it) => pricing(it, product)) : offers
  }

  /** Removes the product. Its slot is not used again before `release`. */
  drop(slot: number): void {
    this.#regroup(slot, this.#emptyGrouping())
    this.#offers.write(slot, [])
    this.attributes.write(slot, {})
    this.#slots.delete(this.id[slot]!)
    for (const region of regions) this.#writePrice(slot, region, Number.NaN)
    this.alive[slot] = 0
    this.names.drop(slot)
    this.size--
    this.#aliveSlots = undefined
  }

  release(slot: number): void {
    this.#free.push(slot)
  }

  #emptyGrouping(): Grouping {
    const noPartners = this.partnerSets.of(noMembers)
    return { brand: -1, path: this.paths.of(noMembers), home: noPartners, global: noPartners }
  }

  #partnerSet(product: IndexedProduct, region: Region): number {
    const members = partnersIn(product, region)
    for (let at = 0; at < members.length; at++) members[at] = this.partnerIds.of(members[at]!)
    return this.partnerSets.of(members)
  }

  #writeSummary(slot: number, region: Region, offers: readonly IndexedOffer[]): void {
    const columns = this.in[region]
    const summary = summaryIn({ offers }, region)
    this.#writePrice(slot, region, summary.priceTiyin ?? Number.NaN)
    columns.rating[slot] = summary.rating ?? Number.NaN
    columns.ratingStep[slot] = ratingStep(columns.rating[slot]!)
    columns.discount[slot] = summary.discount ?? Number.NaN
    columns.priceBand[slot] = summary.priceTiyin === null ? 0 : priceBand(summary.priceTiyin)
    columns.inStock[slot] = summary.inStock ? 1 : 0
    columns.ordinary[slot] = summary.ordinary ? offers.indexOf(summary.ordinary) + 1 : 0
    columns.moderated[slot] = summary.moderated ? offers.indexOf(summary.moderated) + 1 : 0
    columns.moderatedFirst[slot] = summary.isModeratedBetter ? 1 : 0
    this.#writeBoost(slot, region)
  }

  #writeBoost(slot: number, region: Region): void {
    const here = this.in[region]
    here.boost[slot] = boostOf(this.weight[slot]!, availabilityOf(here, slot), here.priceBand[slot]!)
  }

  #writePrice(slot: number, region: Region, price: number): void {
    const column = this.in[region].price
    this.#sortedPrices[region]?.replace(column[slot]!, price)
    column[slot] = price
  }

  /** Lists the slot under its brand, categories and partners. Most changes do not touch them. */
  #regroup(slot: number, { brand, path, home, global }: Grouping): void {
    const old = this.brand[slot]!
    if (old !== brand) {
      if (old >= 0) this.ofBrand.remove(old, slot)
      if (brand >= 0) this.ofBrand.add(brand, slot)
      this.brand[slot] = brand
    }
    if (this.path[slot] !== path) {
      this.paths.each(this.path[slot]!, (category) => this.inCategory.remove(category, slot))
      this.paths.each(path, (category) => this.inCategory.add(category, slot))
      this.path[slot] = path
    }
    const partners = { home: this.in.home.partners, global: this.in.global.partners }
    if (partners.home[slot] === home && partners.global[slot] === global) return
    this.#eachPartner(slot, (partner) => this.ofPartner.remove(partner, slot))
    partners.home[slot] = home
    partners.global[slot] = global
    this.#eachPartner(slot, (partner) => this.ofPartner.add(partner, slot))
  }

  /** Visits the partners of any region, each once. */
  #eachPartner(slot: number, visit: (partner: number) => void): void {
    const home = this.in.home.partners[slot]!
    const global = this.in.global.partners[slot]!
    this.partnerSets.each(home, visit)
    if (global === home) return
    this.partnerSets.each(global, (it) => {
      if (!this.partnerSets.has(home, it)) visit(it)
    })
  }

  /** Sets of partners become unused as offers change: from time to time only the used ones are kept. */
  #compactPartnerSets(): void {
    if (this.partnerSets.size <= 4 * this.slots + 1024) return
    const kept = new InternedSets()
    for (const region of regions) {
      const { partners } = this.in[region]
      for (let slot = 0; slot < this.slots; slot++)
        partners[slot] = kept.of(this.alive[slot] ? [...this.partnerSets.at(partners[slot]!)] : [])
    }
    this.partnerSets = kept
  }

  #widen(size: number): void {
    this.alive = widened(this.alive, new Uint8Array(size))
    this.id = widened(this.id, new Float64Array(size))
    this.created = widened(this.created, new Float64Array(size))
    this.popularity = widened(this.popularity, new Float64Array(size))
    this.weight = widened(this.weight, new Float32Array(size))
    this.brand = widened(this.brand, new Int32Array(size))
    this.path = widened(this.path, new Int32Array(size))
    for (const region of regions) {
      const old = this.in[region]
      this.in[region] = {
        price: widened(old.price, new Float64Array(size).fill(Number.NaN)),
        rating: widened(old.rating, new Float64Array(size)),
        ratingStep: widened(old.ratingStep, new Uint8Array(size)),
        discount: widened(old.discount, new Float64Array(size)),
        priceBand: widened(old.priceBand, new Uint8Array(size)),
        inStock: widened(old.inStock, new Uint8Array(size)),
        boost: widened(old.boost, new Float64Array(size)),
        partners: widened(old.partners, new Int32Array(size)),
        ordinary: widened(old.ordinary, new Int32Array(size)),
        moderated: widened(old.moderated, new Int32Array(size)),
        moderatedFirst: widened(old.moderatedFirst, new Uint8Array(size)),
      }
    }
  }
}

const widened = <T extends Float64Array | Float32Array | Int32Array | Uint8Array>(from: T, to: T): T => (
  to.set(from),
  to
)

const maxPopularityBoost = 0.5
const popularityFactor = 0.04
const lengthPenalty = 0.005

function weightOf(popularity: number, words: number): number {
  const popular = Math.min(maxPopularityBoost, popularityFactor * Math.log1p(popularity))
  return (1 + popular) / (1 + lengthPenalty * words)
}

const noRows = (): RegionColumns => ({
  price: new Float64Array(0),
  rating: new Float64Array(0),
  ratingStep: new Uint8Array(0),
  discount: new Float64Array(0),
  priceBand: new Uint8Array(0),
  inStock: new Uint8Array(0),
  boost: new Float64Array(0),
  partners: new Int32Array(0),
  ordinary: new Int32Array(0),
  moderated: new Int32Array(0),
  moderatedFirst: new Uint8Array(0),
})
