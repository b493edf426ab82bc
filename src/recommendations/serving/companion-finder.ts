// The categories that go with those of a page.

import type { Model } from '../models/model.ts'

/** Weights by category id. */
export type CompanionFinder = (categories: Iterable<number>) => ReadonlyMap<number, number>

export function companionFinder({ companions: { categories, weights }, items }: Model): CompanionFinder {
  const rowOfCategory = new Map(Array.from(categories, (id, row) => [id, row]))
  return (of) => {
    const found = new Map<number, number>()
    for (const category of of) {
      const row = rowOfCategory.get(category)
      if (row === undefined) continue
      for (let at = weights.offsets[row]!; at < weights.offsets[row + 1]!; at++) {
        const other = items.categories[weights.indices[at]!]!
        found.set(other, Math.max(found.get(other) ?? 0, weights.values[at]!))
      }
    }
    return found
  }
}
