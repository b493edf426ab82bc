// Orders rows that match alike by a buyer's taste.

import type { Columns } from './columns.ts'

/** What the buyer likes decides among products that match alike, never against a better match. */
const favour = 1.05
/** The latest products decide. */
const maxProducts = 50

/** By slot, the factor of a score: higher for rows in the categories of these products. */
export function favouring(
  columns: Columns,
  productIds: readonly number[],
): ((slot: number) => number) | undefined {
  const liked = new Set<number>()
  for (const id of productIds.slice(0, maxProducts)) {
    const slot = columns.slotOf(id)
    if (slot !== undefined) liked.add(columns.path[slot]!)
  }
  return liked.size === 0 ? undefined : (slot) => (liked.has(columns.path[slot]!) ? favour : 1)
}

/** Buyers who typed the same chose this category: it decides among products that match nearly alike. */
export const predictedFavour = 1.15

/** Multiplies the scores of rows in a category and those below it. */
export function favourCategory(
  { paths, path, categoryIds }: Columns,
  { slots, scores }: { slots: Int32Array; scores: Float64Array },
  categoryId: number,
): void {
  const category = categoryIds.find(categoryId)
  const isWithin = Uint8Array.from({ length: paths.size }, (_, set) =>
    paths.at(set).includes(category) ? 1 : 0,
  )
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!
    if (isWithin[path[slot]!] === 1) scores[slot] = scores[slot]! * predictedFavour
  }
}
