// The orders a shelf knows, each as a ranking over its columns.

import type { Language } from '../../http/language.ts'
import type { Columns } from './columns.ts'
import type { Region } from './item.ts'
import type { Ranking } from './order.ts'
import type { Place, Sort } from './question.ts'

/** An order by its name: some differ by region, one by language. */
export type OrderName =
  | 'id'
  | 'popularity'
  | 'created_at'
  | `name ${Language}`
  | `${'price' | 'rating' | 'discount'} ${Region}`

export function orderName(sort: Exclude<Sort, 'relevance'>, region: Region, language: Language): OrderName {
  if (sort === 'name') return `name ${language}`
  if (sort === 'price' || sort === 'rating' || sort === 'discount') return `${sort} ${region}`
  return sort
}

/** Whether places in it follow from offers, and so change with their prices. */
export const hangsOnOffers = (name: OrderName): boolean => /^(price|rating|discount) /.test(name)

export function rankingOf(columns: Columns, name: OrderName): Ranking {
  const [sort, where] = name.split(' ') as [Sort, Language & Region]
  if (sort === 'name') return byName(columns, where)
  const value = numberOf(columns, sort, where)
  // What has no value differs from its like by NaN, which leaves the ids to decide.
  const compareTo = (slot: number, place: Place) =>
    value(slot) - Number(place.value ?? 0) || columns.id[slot]! - place.id
  return {
    value: (slot) => (Number.isNaN(value(slot)) ? null : value(slot)),
    hasValue: (slot) => !Number.isNaN(value(slot)),
    compare: (one, other) => value(one) - value(other) || columns.id[one]! - columns.id[other]!,
    compareTo: sort === 'id' ? (slot, place) => columns.id[slot]! - place.id : compareTo,
  }
}

function numberOf(columns: Columns, sort: Sort, region: Region): (slot: number) => number {
  if (sort === 'price') return (slot) => columns.in[region].price[slot]!
  if (sort === 'rating') return (slot) => columns.in[region].rating[slot]!
  if (sort === 'discount') return (slot) => columns.in[region].discount[slot]!
  if (sort === 'popularity') return (slot) => columns.popularity[slot]!
  if (sort === 'created_at') return (slot) => columns.created[slot]!
  return (slot) => columns.id[slot]!
}

function byName(columns: Columns, language: Language) {
  const names = columns.names[language]
  const ordered = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  return {
    value: (slot: number) => names[slot]!,
    hasValue: () => true,
    compare: (one: number, other: number) =>
      ordered(names[one]!, names[other]!) || columns.id[one]! - columns.id[other]!,
    compareTo: (slot: number, place: Place) =>
      ordered(names[slot]!, String(place.value)) || columns.id[slot]! - place.id,
  }
}
