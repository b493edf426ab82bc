// What to offer when a search finds nothing: categories that some word of the query leads to, else the largest ones.

import { TopK } from '../../search/index.ts'
import type { Columns } from './columns.ts'

/** Words of an empty search that are looked up alone. */
export const maxAlternativeWords = 3
const maxCategories = 5
/** Rows whose categories are counted. */
const maxRows = 1_000

/** Ids of the own categories of the rows, the most frequent first. */
export function categoriesOf({ paths, path, categoryIds }: Columns, slots: Int32Array): number[] {
  const counts = new Map<number, number>()
  for (const slot of slots.subarray(0, maxRows)) {
    const own = paths.at(path[slot]!).at(-1)
    if (own !== undefined) counts.set(own, (counts.get(own) ?? 0) + 1)
  }
  return mostFrequent(counts).map((it) => categoryIds.ids[it]!)
}

/** Ids of the largest categories without a parent. */
export function largestCategories({ paths, categoryIds, inCategory }: Columns): number[] {
  const counts = new Map<number, number>()
  for (let set = 0; set < paths.size; set++) {
    const [top] = paths.at(set)
    if (top !== undefined) counts.set(top, inCategory.length(top))
  }
  return mostFrequent(counts).map((it) => categoryIds.ids[it]!)
}

function mostFrequent(counts: ReadonlyMap<number, number>): number[] {
  const best = new TopK(maxCategories, (a, b) => counts.get(b)! - counts.get(a)! || a - b)
  for (const [category, count] of counts) if (count > 0) best.add(category)
  return best.sorted()
}
