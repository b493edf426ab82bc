// The orders of the product index, each as a ranking over its columns.

import type { Language, Position, Ranking } from '../../search/index.ts'
import type { Columns } from './columns.ts'
import { compareTexts } from './name-columns.ts'
import type { Region } from './indexed-product.ts'
import type { Sort } from './query.ts'

/** Some orders differ by region, one by language. */
export type OrderName =
  | 'id'
  | 'created_at'
  | `name ${Language}`
  | `${'popularity' | 'price' | 'rating' | 'discount'} ${Region}`

export function orderName(sort: Exclude<Sort, 'relevance'>, region: Region, language: Language): OrderName {
  if (sort === 'name') return `name ${language}`
  if (sort === 'id' || sort === 'created_at') return sort
  return `${sort} ${region}`
}

/** Whether positions in it change with the prices of offers. */
export const dependsOnPrices = (name: OrderName): boolean => /^(price|rating|discount) /.test(name)

export const isPopularity = (name: OrderName): boolean => name.startsWith('popularity ')

/** More than any popularity: what cannot be bought comes after everything that can, and keeps its order. */
const soldOutLag = 2 ** 40

/** The number by which products are sorted by popularity (ADR 0068). */
export const popularityRank = (popularity: number, isInStock: boolean): number =>
  isInStock ? popularity : popularity - soldOutLag

export function rankingOf(columns: Columns, name: OrderName): Ranking {
  const [sort, where] = name.split(' ') as [Sort, Language & Region]
  if (sort === 'name') return byName(columns, where)
  const value = numberOf(columns, sort, where)
  // Two rows without a value differ by NaN, so the ids decide.
  const compareTo = (slot: number, position: Position) =>
    value(slot) - Number(position.value ?? 0) || columns.id[slot]! - position.id
  return {
    value: (slot) => (Number.isNaN(value(slot)) ? null : value(slot)),
    hasValue: (slot) => !Number.isNaN(value(slot)),
    compare: (one, other) => value(one) - value(other) || columns.id[one]! - columns.id[other]!,
    compareTo: sort === 'id' ? (slot, position) => columns.id[slot]! - position.id : compareTo,
  }
}

function numberOf(columns: Columns, sort: Sort, region: Region): (slot: number) => number {
  if (sort === 'price') return (slot) => columns.in[region].price[slot]!
  if (sort === 'rating') return (slot) => columns.in[region].rating[slot]!
  if (sort === 'discount') return (slot) => columns.in[region].discount[slot]!
  if (sort === 'popularity')
    return (slot) => popularityRank(columns.popularity[slot]!, columns.in[region].inStock[slot] === 1)
  if (sort === 'created_at') return (slot) => columns.created[slot]!
  return (slot) => columns.id[slot]!
}

function byName(columns: Columns, language: Language): Ranking {
  const { names } = columns
  return {
    value: (slot) => names.at(slot, language),
    hasValue: () => true,
    compare: (one, other) => names.compare(one, other, language) || columns.id[one]! - columns.id[other]!,
    compareTo: (slot, position) =>
      compareTexts(names.at(slot, language), String(position.value)) || columns.id[slot]! - position.id,
  }
}

/** Rows without a value sort last in both directions. */
export const directed =
  (ranking: Ranking, direction: 'up' | 'down') =>
  (one: number, other: number): number => {
    const hasOne = ranking.hasValue(one)
    if (hasOne !== ranking.hasValue(other)) return hasOne ? -1 : 1
    return direction === 'up' ? ranking.compare(one, other) : ranking.compare(other, one)
  }

export function beyond(
  ranking: Ranking,
  direction: 'up' | 'down',
  after: Position | undefined,
): (slot: number) => boolean {
  if (!after) return () => true
  const sign = direction === 'up' ? 1 : -1
  return (slot) => {
    if (ranking.hasValue(slot) !== (after.value !== null)) return after.value !== null
    return ranking.compareTo(slot, after) * sign > 0
  }
}
