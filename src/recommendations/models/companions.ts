// Which categories go with which: what buyers turn to after they put something into a cart or bought it. It works on little
// data, where single products never met.

import { RowWriter, type Csr } from '../../ml/retrieval/sparse.ts'
import type { ItemInteraction } from '../serving/buyer-profile.ts'
import type { Items } from './items.ts'

export interface Companions {
  /** Category ids in row order. */
  categories: Int32Array
  /** Row i holds the popular items of the categories that go with category i. */
  weights: Csr
}

const withinDays = 30
/** So many buyers of average behaviour are added to those of a category. */
const prior = 20
const leastLift = 1.2
const mostCategories = 8
const itemsOfEach = 15
/** A shop has fewer categories than this; files in which every product has its own have more. */
const mostRows = 1_000

export function companionsOf(
  buyers: readonly (readonly ItemInteraction[])[],
  { categories: ofItem, count }: Items,
  popularity: Float64Array,
): Companions {
  const ids = busiestCategories(buyers, ofItem)
  const rowOf = new Map(ids.map((id, row) => [id, row]))
  const reached = new Float64Array(ids.length)
  const began = new Float64Array(ids.length)
  const met = ids.map(() => new Map<number, number>())
  for (const steps of buyers) {
    const known = steps.filter((it) => rowOf.has(ofItem[it.item]!))
    for (const row of new Set(known.map((it) => rowOf.get(ofItem[it.item]!)!))) reached[row]! += 1
    for (const [from, rows] of followedBy(known, (item) => rowOf.get(ofItem[item]!)!)) {
      began[from]! += 1
      for (const to of rows) met[from]!.set(to, (met[from]!.get(to) ?? 0) + 1)
    }
  }
  const leaders = leadersByRow(ofItem, popularity, rowOf)
  const writer = new RowWriter()
  for (const row of ids.keys()) {
    const found = [...met[row]!]
      .map(([other, times]) => {
        const usual = reached[other]! / Math.max(1, buyers.length)
        const share = (times + prior * usual) / (began[row]! + prior)
        return { other, lift: share / usual, weight: share * Math.log(share / usual) }
      })
      .filter((it) => it.lift >= leastLift)
      .toSorted((a, b) => b.weight - a.weight || a.other - b.other)
      .slice(0, mostCategories)
      .flatMap(({ other, weight }) =>
        leaders[other]!.map((item, place): [number, number] => [
          item,
          weight * (1 - place / itemsOfEach / 2),
        ]),
      )
      .toSorted(([a], [b]) => a - b)
    writer.add(
      found.map(([item]) => item),
      found.map(([, weight]) => weight),
    )
  }
  return { categories: Int32Array.from(ids), weights: writer.matrix(count) }
}

/** The categories with most interactions, in order of their ids. */
function busiestCategories(
  buyers: readonly (readonly ItemInteraction[])[],
  ofItem: Int32Array,
): readonly number[] {
  const counts = new Map<number, number>(Array.from(new Set(ofItem), (id) => [id, 0]))
  for (const steps of buyers)
    for (const { item } of steps) counts.set(ofItem[item]!, counts.get(ofItem[item]!)! + 1)
  return [...counts]
    .toSorted(([a, some], [b, others]) => others - some || a - b)
    .slice(0, mostRows)
    .map(([id]) => id)
    .toSorted((a, b) => a - b)
}

/** By category of something carted or bought, the other categories reached then or within a month. */
function followedBy(
  steps: readonly ItemInteraction[],
  rowOf: (item: number) => number,
): Map<number, Set<number>> {
  const firstDay = new Map<number, number>()
  const found = new Map<number, Set<number>>()
  for (const { item, kind, day } of steps) {
    const row = rowOf(item)
    for (const [from, since] of firstDay)
      if (from !== row && day - since <= withinDays) found.get(from)!.add(row)
    if ((kind === 'cart' || kind === 'purchase') && !firstDay.has(row)) {
      firstDay.set(row, day)
      found.set(row, new Set())
    }
  }
  return found
}

function leadersByRow(
  ofItem: Int32Array,
  popularity: Float64Array,
  rowOf: ReadonlyMap<number, number>,
): number[][] {
  const rows: number[][] = Array.from(rowOf, () => [])
  for (let item = 0; item < ofItem.length; item++) rows[rowOf.get(ofItem[item]!) ?? -1]?.push(item)
  return rows.map((items) =>
    items.toSorted((a, b) => popularity[b]! - popularity[a]! || a - b).slice(0, itemsOfEach),
  )
}
