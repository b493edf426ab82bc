// The categories that go with those of a page.

import type { Model } from '../models/model.ts'

/** Weights by category id. */
export type CompanionFinder = (categories: Iterable<number>) => ReadonlyMap<number, number>

export function companionFinder({ companions: { categories, weights }, items }: Model): CompanionFinder {
  const rowOfCategory = new Map(Array.from(categories, (id, row) => [id, row]))
  const known = new Map<number, ReadonlyMap<number, number>>()
  const companionsOfOne = (category: number): ReadonlyMap<number, number> => {
    const row = rowOfCategory.get(category)
    const found = new Map<number, number>()
    if (row === undefined) return found
    for (let at = weights.offsets[row]!; at < weights.offsets[row + 1]!; at++)
      raise(found, items.categories[weights.indices[at]!]!, weights.values[at]!)
    known.set(category, found)
    return found
  }
  return (of) => {
    const all = Array.from(of, (category) => known.get(category) ?? companionsOfOne(category))
    if (all.length === 1) return all[0]!
    const found = new Map<number, number>()
    for (const one of all) one.forEach((weight, category) => raise(found, category, weight))
    return found
  }
}

const raise = (weights: Map<number, number>, category: number, weight: number): void =>
  void weights.set(category, Math.max(weights.get(category) ?? 0, weight))
