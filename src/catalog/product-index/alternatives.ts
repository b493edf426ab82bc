// What to offer when a search finds nothing: the categories of the things and brands that it names, else the largest ones.

import { type Matches, TopK, type UnitRole } from '../../search/index.ts'
import type { Columns } from './columns.ts'

/** Things and brands of an empty search that are looked up alone. */
const maxLookups = 3
const maxCategories = 5
/** Rows whose categories are counted. */
const maxRows = 1_000
/** In this order. Words that only describe, such as for, white or what, lead to no category. */
const namingRoles: readonly UnitRole[] = ['thing', 'brand']

/** Ids of categories. When filters excluded everything, those of what was found without filters come first. */
export function alternativesTo(text: string, columns: Columns, matches: (text: string) => Matches): number[] {
  const { slots, units } = matches(text)
  if (slots.length > 0) return categoriesOf(columns, slots)
  const names = namingRoles
    .flatMap((role) => units.filter(({ unit }) => unit.role === role && !unit.isAlone))
    .slice(0, maxLookups)
    .map(({ unit }) => unit.words.map((it) => it.word).join(' '))
  const found = new Set(names.flatMap((name) => categoriesOf(columns, matches(name).slots)))
  return found.size > 0 ? [...found].slice(0, maxCategories) : largestCategories(columns)
}

/** Ids of the own categories of the rows, the most frequent first. */
function categoriesOf({ paths, path, categoryIds }: Columns, slots: Int32Array): number[] {
  const counts = new Map<number, number>()
  for (const slot of slots.subarray(0, maxRows)) {
    const own = paths.at(path[slot]!).at(-1)
    if (own !== undefined) counts.set(own, (counts.get(own) ?? 0) + 1)
  }
  return mostFrequent(counts).map((it) => categoryIds.ids[it]!)
}

/** Ids of the largest categories without a parent. */
function largestCategories({ paths, categoryIds, inCategory }: Columns): number[] {
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
