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

/**
 * Rows pass by a range of numbers or by a flag, which are read without a call for each row, or else by a predicate.
 * Columns are calls because they are replaced when they grow.
 */
type Condition = { bit: number } & (
  | { kind: 'range'; column(): Float64Array; min: number; max: number }
  | { kind: 'flag'; column(): Uint8Array; wanted: 0 | 1 }
  | { kind: 'predicate'; passes: Predicate }
)

/** Rows before and after filters. */
export interface FilteredRows {
  slots: Int32Array
  /** For each row the bits of the filters that it fails; undefined when there is no filter. */
  fails: Uint32Array | undefined
  /** The rows that fail no filter, in their order. */
  passing: Int32Array
}

/** Rows that are counted in one step: they fit the nearest cache. */
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
        kind: 'predicate' as const,
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

  apply(slots: Int32Array): FilteredRows {
    if (this.isEmpty) return { slots, fails: undefined, passing: slots }
    const fails = new Uint32Array(slots.length)
    for (const it of this.#conditions) markFailing(it, slots, fails)
    return { slots, fails, passing: passingRows(slots, fails) }
  }

  /** The rows that pass all filters, or all but those of one bit, in their order. */
  passing(slots: Int32Array, ignoredBit = 0): Int32Array {
    const conditions = this.#conditions.filter((it) => it.bit !== ignoredBit)
    if (conditions.length === 0) return slots
    const left = slots.slice()
    let kept = left.length
    for (const it of conditions) kept = keepPassing(it, left, kept)
    return left.subarray(0, kept)
  }

  /** How many of the rows pass. */
  count(slots: Int32Array): number {
    const left = new Int32Array(Math.min(slots.length, blockSize))
    let count = 0
    for (let from = 0; from < slots.length; from += blockSize) {
      const block = slots.subarray(from, from + blockSize)
      left.set(block)
      let kept = block.length
      for (const it of this.#conditions) kept = keepPassing(it, left, kept)
      count += kept
    }
    return count
  }

  /** The bounds of the price, when nothing else is asked for. */
  get priceRange(): { min: number; max: number } | undefined {
    const [only, other] = this.#conditions
    return only?.kind === 'range' && only.bit === filterBits.price && !other ? only : undefined
  }
}

/** Moves the rows that pass to the front; returns how many they are. */
function keepPassing(condition: Condition, slots: Int32Array, count: number): number {
  if (condition.kind === 'range') return keepWithin(condition.column(), condition, slots, count)
  if (condition.kind === 'flag') return keepFlagged(condition.column(), condition.wanted, slots, count)
  const { passes } = condition
  let kept = 0
  for (let at = 0; at < count; at++) if (passes(slots[at]!)) slots[kept++] = slots[at]!
  return kept
}

function keepWithin(
  column: Float64Array,
  { min, max }: { min: number; max: number },
  slots: Int32Array,
  count: number,
): number {
  let kept = 0
  for (let at = 0; at < count; at++) {
    const slot = slots[at]!
    const value = column[slot]!
    if (value >= min && value <= max) slots[kept++] = slot
  }
  return kept
}

function keepFlagged(column: Uint8Array, wanted: 0 | 1, slots: Int32Array, count: number): number {
  let kept = 0
  for (let at = 0; at < count; at++) {
    const slot = slots[at]!
    if (column[slot] === wanted) slots[kept++] = slot
  }
  return kept
}

/** Loops are separate by kind: each is compiled for one type of column. */
function markFailing(condition: Condition, slots: Int32Array, fails: Uint32Array): void {
  if (condition.kind === 'range') markOutside(condition.column(), condition, slots, fails)
  else if (condition.kind === 'flag') markOther(condition.column(), condition, slots, fails)
  else {
    const { bit, passes } = condition
    for (let at = 0; at < slots.length; at++) if (!passes(slots[at]!)) fails[at]! |= bit
  }
}

/** NaN, no price or rating, fails. */
function markOutside(
  column: Float64Array,
  { bit, min, max }: { bit: number; min: number; max: number },
  slots: Int32Array,
  fails: Uint32Array,
): void {
  for (let at = 0; at < slots.length; at++) {
    const value = column[slots[at]!]!
    if (!(value >= min && value <= max)) fails[at]! |= bit
  }
}

function markOther(
  column: Uint8Array,
  { bit, wanted }: { bit: number; wanted: 0 | 1 },
  slots: Int32Array,
  fails: Uint32Array,
): void {
  for (let at = 0; at < slots.length; at++) if (column[slots[at]!] !== wanted) fails[at]! |= bit
}

function passingRows(slots: Int32Array, fails: Uint32Array): Int32Array {
  const passing = new Int32Array(slots.length)
  let count = 0
  for (let at = 0; at < slots.length; at++) if (fails[at] === 0) passing[count++] = slots[at]!
  return count === slots.length ? slots : passing.subarray(0, count)
}

function predicateOf(condition: Condition): Predicate {
  if (condition.kind === 'predicate') return condition.passes
  if (condition.kind === 'flag') {
    const { column, wanted } = condition
    return (slot) => column()[slot] === wanted
  }
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
  const conditions: Condition[] = []
  const addRange = (bit: number, column: () => Float64Array, min = -Infinity, max = Infinity) =>
    conditions.push({ kind: 'range', bit, column, min, max })
  if (priceMin !== undefined || priceMax !== undefined)
    addRange(filterBits.price, () => here().price, priceMin, priceMax)
  if (ratingMin !== undefined) addRange(filterBits.rating, () => here().rating, ratingMin)
  if (inStock !== undefined)
    conditions.push({
      kind: 'flag',
      bit: filterBits.stock,
      column: () => here().inStock,
      wanted: inStock ? 1 : 0,
    })
  if (discounted === true) addRange(filterBits.other, () => here().discount, Number.MIN_VALUE)
  return conditions
}

/** Arrays are replaced when columns grow, so predicates read them on every call. */
function predicatesOf(columns: Columns, region: Region, filters: Filters): Condition[] {
  const { categoryId, brandIds, partnerIds, discounted, ids, buyable } = filters
  const here = () => columns.in[region]
  const conditions: Condition[] = []
  const add = (bit: number, passes: Predicate) => conditions.push({ kind: 'predicate', bit, passes })
  if (categoryId !== undefined) {
    const passes = hasMember(() => columns.paths, columns.categoryIds, [categoryId])
    add(filterBits.category, (slot) => passes(columns.path[slot]!))
  }
  if (brandIds) {
    const isWanted = memberOf(columns.brandIds, brandIds)
    add(filterBits.brand, (slot) => columns.brand[slot]! >= 0 && isWanted(columns.brand[slot]!))
  }
  if (partnerIds) {
    const passes = hasMember(() => columns.partnerSets, columns.partnerIds, partnerIds)
    add(filterBits.partner, (slot) => passes(here().partners[slot]!))
  }
  if (buyable !== undefined)
    add(filterBits.stock, (slot) => (here().inStock[slot] === 1 || here().moderated[slot]! > 0) === buyable)
  if (discounted === false) add(filterBits.other, (slot) => !(here().discount[slot]! > 0))
  if (ids) {
    const wanted = new Set(ids)
    add(filterBits.other, (slot) => wanted.has(columns.id[slot]!))
  }
  return conditions
}

/** Whether an interned id is one of the wanted. The result for each is cached. */
function memberOf({ ids }: InternedIds, wanted: readonly number[]): (member: number) => boolean {
  let results = new Uint8Array(0)
  return (member) => {
    if (member >= results.length) results = new Uint8Array(2 * ids.length)
    if (results[member] === 0) results[member] = wanted.includes(ids[member]!) ? 1 : 2
    return results[member] === 1
  }
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
