// The filters of a query, compiled into predicates over rows.

import type { InternedIds, InternedSets, PriceLimits } from '../../search/index.ts'
import type { Columns } from './columns.ts'
import type { Region } from './indexed-product.ts'
import type { AttributeFilter, Filters } from './query.ts'

/** Which filters a row fails, as bits. A facet ignores its own. */
export const filterBits = {
  brand: 1,
  partner: 2,
  category: 4,
  price: 8,
  rating: 16,
  stock: 32,
  other: 64,
} as const

/** Each attribute filter has a bit of its own, from this one on. */
const firstAttributeBit = 128
export const maxAttributeFilters = 20

type Predicate = (slot: number) => boolean

export class RowFilter {
  readonly region: Region
  readonly filters: Filters
  readonly #predicates: Predicate[]
  readonly #bits: number[]
  /** By code, the bits of the attributes that are filtered. */
  readonly attributeBits: ReadonlyMap<string, number>

  constructor(columns: Columns, region: Region, filters: Filters) {
    this.region = region
    this.filters = filters
    const wanted = (filters.attributes ?? []).slice(0, maxAttributeFilters)
    this.attributeBits = new Map(wanted.map(({ code }, at) => [code, firstAttributeBit << at]))
    const compiled = [
      ...compile(columns, region, filters),
      ...wanted.map((it): [number, Predicate] => [
        this.attributeBits.get(it.code)!,
        columns.attributes.passing(({ code, value }) => code === it.code && isWanted(it, value)),
      ]),
    ]
    this.#predicates = compiled.map(([, passes]) => passes)
    this.#bits = compiled.map(([bit]) => bit)
  }

  /** Whether every row passes. */
  get isEmpty(): boolean {
    return this.#predicates.length === 0
  }

  passes(slot: number): boolean {
    for (let at = 0; at < this.#predicates.length; at++) if (!this.#predicates[at]!(slot)) return false
    return true
  }

  /** For each row the bits of the filters that it fails; undefined when there is no filter. */
  failsOf(slots: Int32Array): Uint32Array | undefined {
    if (this.isEmpty) return undefined
    const fails = new Uint32Array(slots.length)
    for (const [number, passes] of this.#predicates.entries()) {
      const bit = this.#bits[number]!
      for (let at = 0; at < slots.length; at++) if (!passes(slots[at]!)) fails[at]! |= bit
    }
    return fails
  }
}

const isWanted = ({ anyOf, min, max }: AttributeFilter, value: string | number | boolean): boolean =>
  (!anyOf || anyOf.includes(value)) &&
  (min === undefined || Number(value) >= min) &&
  (max === undefined || Number(value) <= max)

/** Arrays are replaced when columns grow, so predicates read them on every call. NaN, no price or rating, never passes. */
function compile(columns: Columns, region: Region, filters: Filters): [number, Predicate][] {
  const { categoryId, brandIds, partnerIds, priceMin, priceMax, ratingMin, inStock, discounted, ids } =
    filters
  const { buyable } = filters
  const here = () => columns.in[region]
  const compiled: [number, Predicate][] = []
  if (categoryId !== undefined) {
    const passes = hasMember(() => columns.paths, columns.categoryIds, [categoryId])
    compiled.push([filterBits.category, (slot) => passes(columns.path[slot]!)])
  }
  if (brandIds) {
    const wanted = new Set<number | undefined>(brandIds)
    const { ids: known } = columns.brandIds
    compiled.push([
      filterBits.brand,
      (slot) => columns.brand[slot]! >= 0 && wanted.has(known[columns.brand[slot]!]),
    ])
  }
  if (partnerIds) {
    const passes = hasMember(() => columns.partnerSets, columns.partnerIds, partnerIds)
    compiled.push([filterBits.partner, (slot) => passes(here().partners[slot]!)])
  }
  if (priceMin !== undefined) compiled.push([filterBits.price, (slot) => here().price[slot]! >= priceMin])
  if (priceMax !== undefined) compiled.push([filterBits.price, (slot) => here().price[slot]! <= priceMax])
  if (ratingMin !== undefined) compiled.push([filterBits.rating, (slot) => here().rating[slot]! >= ratingMin])
  if (inStock !== undefined)
    compiled.push([filterBits.stock, (slot) => (here().inStock[slot] === 1) === inStock])
  if (buyable !== undefined)
    compiled.push([
      filterBits.stock,
      (slot) => (here().inStock[slot] === 1 || here().moderatedOffer[slot]! > 0) === buyable,
    ])
  if (discounted !== undefined)
    compiled.push([filterBits.other, (slot) => here().discount[slot]! > 0 === discounted])
  if (ids) {
    const wanted = new Set(ids)
    compiled.push([filterBits.other, (slot) => wanted.has(columns.id[slot]!)])
  }
  return compiled
}

/** Whether a set has one of the wanted ids, which may become known later. The result for each set is cached. */
function hasMember(
  sets: () => InternedSets,
  { ids }: InternedIds,
  wanted: readonly number[],
): (set: number) => boolean {
  let current: InternedSets | undefined
  let results = new Uint8Array(0)
  return (set) => {
    if (current !== sets() || set >= results.length) {
      current = sets()
      results = new Uint8Array(current.size * 2)
    }
    if (results[set] === 0) results[set] = current.at(set).some((it) => wanted.includes(ids[it]!)) ? 1 : 2
    return results[set] === 1
  }
}

const tiyinPerSom = 100

/** The filters of the caller and of the text must both hold. */
export const withLimits = (filters: Filters, { min, max }: PriceLimits): Filters => ({
  ...filters,
  ...(min !== undefined && { priceMin: Math.max(filters.priceMin ?? 0, min * tiyinPerSom) }),
  ...(max !== undefined && { priceMax: Math.min(filters.priceMax ?? Infinity, max * tiyinPerSom) }),
})
