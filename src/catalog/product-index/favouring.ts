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
