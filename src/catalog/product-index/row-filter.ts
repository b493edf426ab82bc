// The filters of a query, compiled into conditions on rows.

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

/** Rows pass by a range of a column, which is read without a call for each row, or else by a predicate. */
type Condition = { bit: number } & (Range | { passes: Predicate })

interface Range {
  /** A call, because columns are replaced when they grow. NaN, no price or rating, fails. */
  column(): Float64Array | Uint8Array
  min: number
  max: number
}

/** Rows whose failed filters are counted in one step: they fit the nearest cache. */
const blockSize = 2_048

export class RowFilter {
  readonly region: Region
  readonly filters: Filters
  readonly #conditions: Condition[]
  readonly #predicates: Predicate[]
  /** By code, the bits of the attributes that are filtered. */
  readonly attributeBits: ReadonlyMap<string, number>

  constructor(columns: Columns, region: Region, filters: Filters) {
    this.region = region
    this.filters = filters
    const wanted = (filters.attributes ?? []).slice(0, maxAttributeFilters)
    this.attributeBits = new Map(wanted.map(({ code }, at) => [code, firstAttributeBit << at]))
    this.#conditions = [
      ...rangesOf(columns, region, filters),
      ...predicatesOf(columns, region, filters),
      ...wanted.map((it) => ({
        bit: this.attributeBits.get(it.code)!,
        passes: columns.attributes.passing(({ code, value }) => code === it.code && isWanted(it, value)),
      })),
    ]
    this.#predicates = this.#conditions.map(predicateOf)
  }

  /** Whether every row passes. */
  get isEmpty(): boolean {
    return this.#conditions.length === 0
  }

  passes(slot: number): boolean {
    for (let at = 0; at < this.#predicates.length; at++) if (!this.#predicates[at]!(slot)) return false
    return true
  }

  /** For each row the bits of the filters that it fails; undefined when there is no filter. */
  failsOf(slots: Int32Array): Uint32Array | undefined {
    if (this.isEmpty) return undefined
    const fails = new Uint32Array(slots.length)
    for (const it of this.#conditions) markFailing(it, slots, fails)
    return fails
  }

  /** How many of the rows pass. */
  count(slots: Int32Array | Uint32Array): number {
    const fails = new Uint32Array(Math.min(slots.length, blockSize))
    let count = 0
    for (let from = 0; from < slots.length; from += blockSize) {
      const block = slots.subarray(from, from + blockSize)
      fails.fill(0)
      for (const it of this.#conditions) markFailing(it, block, fails)
      for (let at = 0; at < block.length; at++) if (fails[at] === 0) count++
    }
    return count
  }
}

function markFailing(condition: Condition, slots: Int32Array | Uint32Array, fails: Uint32Array): void {
  const { bit } = condition
  if ('passes' in condition) {
    const { passes } = condition
    for (let at = 0; at < slots.length; at++) if (!passes(slots[at]!)) fails[at]! |= bit
    return
  }
  const { min, max } = condition
  const column = condition.column()
  for (let at = 0; at < slots.length; at++) {
    const value = column[slots[at]!]!
    if (!(value >= min && value <= max)) fails[at]! |= bit
  }
}

/** The rows that fail no filter, in their order. */
export function passingRows(slots: Int32Array, fails: Uint32Array): Int32Array {
  const passing = new Int32Array(slots.length)
  let count = 0
  for (let at = 0; at < slots.length; at++) if (fails[at] === 0) passing[count++] = slots[at]!
  return passing.subarray(0, count)
}

function predicateOf(condition: Condition): Predicate {
  if ('passes' in condition) return condition.passes
  const { column, min, max } = condition
  return (slot) => {
    const value = column()[slot]!
    return value >= min && value <= max
  }
}

const isWanted = ({ anyOf, min, max }: AttributeFilter, value: string | number | boolean): boolean =>
  (!anyOf || anyOf.includes(value)) &&
  (min === undefined || Number(value) >= min) &&
  (max === undefined || Number(value) <= max)

function rangesOf(columns: Columns, region: Region, filters: Filters): Condition[] {
  const { priceMin, priceMax, ratingMin, inStock, discounted } = filters
  const here = () => columns.in[region]
  const ranges: Condition[] = []
  if (priceMin !== undefined || priceMax !== undefined)
    ranges.push({
      bit: filterBits.price,
      column: () => here().price,
      min: priceMin ?? -Infinity,
      max: priceMax ?? Infinity,
    })
  if (ratingMin !== undefined)
    ranges.push({ bit: filterBits.rating, column: () => here().rating, min: ratingMin, max: Infinity })
  if (inStock !== undefined)
    ranges.push({
      bit: filterBits.stock,
      column: () => here().inStock,
      min: Number(inStock),
      max: Number(inStock),
    })
  if (discounted === true)
    ranges.push({
      bit: filterBits.other,
      column: () => here().discount,
      min: Number.MIN_VALUE,
      max: Infinity,
    })
  return ranges
}

/** Arrays are replaced when columns grow, so predicates read them on every call. */
function predicatesOf(columns: Columns, region: Region, filters: Filters): Condition[] {
  const { categoryId, brandIds, partnerIds, discounted, ids, buyable } = filters
  const here = () => columns.in[region]
  const conditions: Condition[] = []
  if (categoryId !== undefined) {
    const passes = hasMember(() => columns.paths, columns.categoryIds, [categoryId])
    conditions.push({ bit: filterBits.category, passes: (slot) => passes(columns.path[slot]!) })
  }
  if (brandIds) {
    const wanted = new Set<number | undefined>(brandIds)
    const { ids: known } = columns.brandIds
    conditions.push({
      bit: filterBits.brand,
      passes: (slot) => columns.brand[slot]! >= 0 && wanted.has(known[columns.brand[slot]!]),
    })
  }
  if (partnerIds) {
    const passes = hasMember(() => columns.partnerSets, columns.partnerIds, partnerIds)
    conditions.push({ bit: filterBits.partner, passes: (slot) => passes(here().partners[slot]!) })
  }
  if (buyable !== undefined)
    conditions.push({
      bit: filterBits.stock,
      passes: (slot) => (here().inStock[slot] === 1 || here().moderatedOffer[slot]! > 0) === buyable,
    })
  if (discounted === false)
    conditions.push({ bit: filterBits.other, passes: (slot) => !(here().discount[slot]! > 0) })
  if (ids) {
    const wanted = new Set(ids)
    conditions.push({ bit: filterBits.other, passes: (slot) => wanted.has(columns.id[slot]!) })
  }
  return conditions
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
