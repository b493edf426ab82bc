// The first rows of an order, and the orders of searches.

import { type Position, TopK } from '../../search/index.ts'
import type { Columns } from './columns.ts'
import type { ProductQuery } from './query.ts'
import { beyond, directed, type OrderName, orderName, rankingOf } from './rankings.ts'

export interface RowOrder {
  value(slot: number): Position['value']
  compare(one: number, other: number): number
  /** Whether a row comes after the previous page. */
  isBeyond(slot: number): boolean
}

export const nameOf = (sort: ProductQuery['sort'], { region, language }: ProductQuery): OrderName =>
  orderName(sort.replace(/^-/, '') as Parameters<typeof orderName>[0], region, language)

/** The first rows, in order. */
export function firstOf(
  slots: Int32Array,
  { compare, isBeyond }: Omit<RowOrder, 'value'>,
  wanted: number,
): number[] {
  const first = new TopK(wanted, compare)
  for (let at = 0; at < slots.length; at++) if (isBeyond(slots[at]!)) first.add(slots[at]!)
  return first.sorted()
}

/** The first rows of a search, in order. */
export function firstFound(
  { slots, scores }: { slots: Int32Array; scores: Float64Array },
  { compare, isBeyond }: RowOrder,
  { wanted, sort }: { wanted: number; sort: ProductQuery['sort'] },
): number[] {
  if (!isByRelevance(sort)) return firstOf(slots, { compare, isBeyond }, wanted)
  const first = new TopK(wanted, compare)
  // Most rows score lower than the last of the first: they need no further comparison.
  let least = -Infinity
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!
    if (scores[slot]! < least || !isBeyond(slot)) continue
    first.add(slot)
    if (first.isFull) least = scores[first.last!]!
  }
  return first.sorted()
}

export const isByRelevance = (sort: ProductQuery['sort']): boolean => sort.endsWith('relevance')

/** Relevance is best first in both directions. */
export function searchOrder(columns: Columns, query: ProductQuery, scores: Float64Array): RowOrder {
  const { sort, after } = query
  const ids = columns.id
  if (isByRelevance(sort))
    return {
      value: (slot) => scores[slot]!,
      compare: (one, other) => scores[other]! - scores[one]! || ids[one]! - ids[other]!,
      isBeyond: (slot) => !after || (Number(after.value) - scores[slot]! || ids[slot]! - after.id) > 0,
    }
  const ranking = rankingOf(columns, nameOf(sort, query))
  const direction = sort.startsWith('-') ? 'down' : 'up'
  return {
    value: (slot) => ranking.value(slot),
    compare: directed(ranking, direction),
    isBeyond: beyond(ranking, direction, after),
  }
}
