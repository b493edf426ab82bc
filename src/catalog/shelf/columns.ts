// One row per product, a column per thing: what filters, facets and orders read. A row is known by its slot.

import { type Language, inLanguage, languages } from '../../http/language.ts'
import { Numbered, Sets } from './interned.ts'
import {
  partnersIn,
  type Pricing,
  type Region,
  regions,
  type Scope,
  type ShelfItem,
  type ShelfOffer,
  type Shown,
  shownIn,
} from './item.ts'
import { nameKey } from './name-key.ts'
import { OfferRows } from './offer-rows.ts'
import { priceBand } from './price-band.ts'
import { Postings } from './postings.ts'

/** NaN stands for no price, no rating and no discount. */
export interface RegionColumns {
  price: Float64Array
  rating: Float64Array
  discount: Float64Array
  priceBand: Uint8Array
  inStock: Uint8Array
  /** Which set of partners. */
  partners: Int32Array
  /** The offer that a buyer would take and who sells it; 0 when nobody has it. */
  offer: Float64Array
  seller: Float64Array
  /** The same among those that sellers sent in; and whether it is the better of the two. */
  sentIn: Float64Array
  sentInSeller: Float64Array
  sentInFirst: Uint8Array
}

/** Where a product is listed: the numbers of its brand, of its path, and of its sets of partners. */
interface Shelved {
  brand: number
  path: number
  home: number
  global: number
}

export class Columns {
  /** Products on the shelf. */
  size = 0
  /** Slots ever used: rows stand below it. */
  slots = 0
  readonly brandIds = new Numbered()
  readonly categoryIds = new Numbered()
  readonly partnerIds = new Numbered()
  readonly paths = new Sets()
  partnerSets = new Sets()
  /** Slots by category, brand and partner (of any region). */
  readonly inCategory = new Postings()
  readonly ofBrand = new Postings()
  readonly ofPartner = new Postings()

  alive = new Uint8Array(0)
  id = new Float64Array(0)
  created = new Float64Array(0)
  popularity = new Float64Array(0)
  /** By how much a match counts more for what sells well and has a short name. */
  weight = new Float32Array(0)
  /** −1 for none. */
  brand = new Int32Array(0)
  path = new Int32Array(0)
  readonly names: Record<Language, string[]> = { ru: [], uz: [], en: [] }
  readonly in: Record<Region, RegionColumns> = { home: noRows(), global: noRows() }
  /** How prices are made now; usual ones when it is not set. */
  pricing: Pricing | undefined

  readonly #offers = new OfferRows()
  readonly #slots = new Map<number, number>()
  readonly #free: number[] = []

  slotOf(id: number): number | undefined {
    return this.#slots.get(id)
  }

  aliveSlots(): Int32Array {
    const slots = new Int32Array(this.size)
    for (let slot = 0, at = 0; slot < this.slots; slot++) if (this.alive[slot] === 1) slots[at++] = slot
    return slots
  }

  /** A slot for a product that has none. */
  take(id: number): number {
    const slot = this.#free.pop() ?? this.slots++
    if (slot >= this.alive.length) this.#widen(Math.max(1024, this.alive.length * 2))
    this.#slots.set(id, slot)
    this.alive[slot] = 1
    this.id[slot] = id
    const { brand, path, home, global } = this.#nowhere()
    this.brand[slot] = brand
    this.path[slot] = path
    this.in.home.partners[slot] = home
    this.in.global.partners[slot] = global
    this.size++
    return slot
  }

  /** To be called before `write` when the name is new. Names equal in two languages share one string. */
  writeNames(slot: number, item: ShelfItem): void {
    const { ru, uz, en } = this.names
    ru[slot] = nameKey(inLanguage(item.name, 'ru'))
    const uzbek = nameKey(inLanguage(item.name, 'uz'))
    uz[slot] = uzbek === ru[slot] ? ru[slot] : uzbek
    const english = nameKey(inLanguage(item.name, 'en'))
    en[slot] = english === ru[slot] ? ru[slot] : english === uz[slot] ? uz[slot] : english
  }

  writePopularity(slot: number, popularity: number): void {
    this.popularity[slot] = popularity
    this.weight[slot] = weightOf(popularity, this.names.ru[slot]!)
  }

  /** Writes a product's row over what the slot held. */
  write(slot: number, item: ShelfItem): void {
    this.created[slot] = item.createdAtMs
    this.writePopularity(slot, item.popularity)
    this.#offers.write(slot, item.offers)
    const offers = this.#priced(item.offers, item)
    const shelved = {
      brand: item.brandId === null ? -1 : this.brandIds.of(item.brandId),
      path: this.paths.of(item.categoryPath.map((id) => this.categoryIds.of(id))),
      home: this.#partnerSet(partnersIn(item, 'home')),
      global: this.#partnerSet(partnersIn(item, 'global')),
    }
    for (const region of regions) this.#writeShown(slot, region, shownIn({ offers }, region))
    this.#moveTo(slot, shelved)
    this.#mergePartnerSets()
  }

  /** Works out anew what the slot shows, if anything stands there; who offers it, and where, stays. */
  reprice(slot: number): void {
    if (this.alive[slot] === 0) return
    const offers = this.#priced(this.#offers.at(slot), {
      brandId: this.brandIds.ids[this.brand[slot]!] ?? null,
      categoryPath: Array.from(this.paths.at(this.path[slot]!), (it) => this.categoryIds.ids[it]!),
    })
    for (const region of regions) this.#writeShown(slot, region, shownIn({ offers }, region))
  }

  /** The slots of what stands in a scope. */
  slotsIn({ productIds, categoryIds, brandIds, partnerIds }: Scope): Set<number> {
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

  #priced(offers: readonly ShelfOffer[], product: Pick<ShelfItem, 'brandId' | 'categoryPath'>): ShelfOffer[] {
    const { pricing } = this
    return pricing ? offers.map((it) => pricing(it, product)) : [...offers]
  }

  /** Takes the product off. Its slot is not used again before `release`. */
  drop(slot: number): void {
    this.#moveTo(slot, this.#nowhere())
    this.#offers.write(slot, [])
    this.#slots.delete(this.id[slot]!)
    this.alive[slot] = 0
    for (const language of languages) this.names[language][slot] = ''
    this.size--
  }

  release(slot: number): void {
    this.#free.push(slot)
  }

  #nowhere(): Shelved {
    const nobody = this.partnerSets.of([])
    return { brand: -1, path: this.paths.of([]), home: nobody, global: nobody }
  }

  #partnerSet(ids: readonly number[]): number {
    return this.partnerSets.of(ids.map((id) => this.partnerIds.of(id)))
  }

  #writeShown(slot: number, region: Region, shown: Shown): void {
    const columns = this.in[region]
    columns.price[slot] = shown.priceTiyin ?? Number.NaN
    columns.rating[slot] = shown.rating ?? Number.NaN
    columns.discount[slot] = shown.discount ?? Number.NaN
    columns.priceBand[slot] = shown.priceTiyin === null ? 0 : priceBand(shown.priceTiyin)
    columns.inStock[slot] = shown.inStock ? 1 : 0
    columns.offer[slot] = shown.own?.id ?? 0
    columns.seller[slot] = shown.own?.partnerId ?? 0
    columns.sentIn[slot] = shown.sentIn?.id ?? 0
    columns.sentInSeller[slot] = shown.sentIn?.partnerId ?? 0
    columns.sentInFirst[slot] = shown.isSentInBetter ? 1 : 0
  }

  /** Lists the slot under its brand, categories and partners. Most changes leave them as they were. */
  #moveTo(slot: number, { brand, path, home, global }: Shelved): void {
    const old = this.brand[slot]!
    if (old !== brand) {
      if (old >= 0) this.ofBrand.remove(old, slot)
      if (brand >= 0) this.ofBrand.add(brand, slot)
      this.brand[slot] = brand
    }
    if (this.path[slot] !== path) {
      for (const category of this.paths.at(this.path[slot]!)) this.inCategory.remove(category, slot)
      for (const category of this.paths.at(path)) this.inCategory.add(category, slot)
      this.path[slot] = path
    }
    const partners = { home: this.in.home.partners, global: this.in.global.partners }
    if (partners.home[slot] === home && partners.global[slot] === global) return
    for (const partner of this.#partnersOf(slot)) this.ofPartner.remove(partner, slot)
    partners.home[slot] = home
    partners.global[slot] = global
    for (const partner of this.#partnersOf(slot)) this.ofPartner.add(partner, slot)
  }

  /** Of any region. */
  #partnersOf(slot: number): Iterable<number> {
    const home = this.in.home.partners[slot]!
    const abroad = this.in.global.partners[slot]!
    if (home === abroad) return this.partnerSets.at(home)
    return new Set([...this.partnerSets.at(home), ...this.partnerSets.at(abroad)])
  }

  /** Offers come and go, and so do sets of partners: now and then only those in use are kept. */
  #mergePartnerSets(): void {
    if (this.partnerSets.size <= 4 * this.slots + 1024) return
    const kept = new Sets()
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
        price: widened(old.price, new Float64Array(size)),
        rating: widened(old.rating, new Float64Array(size)),
        discount: widened(old.discount, new Float64Array(size)),
        priceBand: widened(old.priceBand, new Uint8Array(size)),
        inStock: widened(old.inStock, new Uint8Array(size)),
        partners: widened(old.partners, new Int32Array(size)),
        offer: widened(old.offer, new Float64Array(size)),
        seller: widened(old.seller, new Float64Array(size)),
        sentIn: widened(old.sentIn, new Float64Array(size)),
        sentInSeller: widened(old.sentInSeller, new Float64Array(size)),
        sentInFirst: widened(old.sentInFirst, new Uint8Array(size)),
      }
    }
  }
}

const widened = <T extends Float64Array | Float32Array | Int32Array | Uint8Array>(from: T, to: T): T => (
  to.set(from),
  to
)

const mostForPopularity = 0.5
const forPopularity = 0.04
const againstLength = 0.005

function weightOf(popularity: number, name: string): number {
  let words = 1
  for (let at = name.indexOf(' '); at >= 0; at = name.indexOf(' ', at + 1)) words++
  const popular = Math.min(mostForPopularity, forPopularity * Math.log1p(popularity))
  return (1 + popular) / (1 + againstLength * words)
}

const noRows = (): RegionColumns => ({
  price: new Float64Array(0),
  rating: new Float64Array(0),
  discount: new Float64Array(0),
  priceBand: new Uint8Array(0),
  inStock: new Uint8Array(0),
  partners: new Int32Array(0),
  offer: new Float64Array(0),
  seller: new Float64Array(0),
  sentIn: new Float64Array(0),
  sentInSeller: new Float64Array(0),
  sentInFirst: new Uint8Array(0),
})
