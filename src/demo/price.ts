// Prices as shops write them.

/** The nearest price that a shop would put on a label, in sums: 34 900, 249 000, 3 499 000. */
export function labelled(sums: number): number {
  if (sums < 20_000) return Math.max(500, Math.round(sums / 500) * 500)
  if (sums < 100_000) return Math.round(sums / 1_000) * 1_000 - 100
  if (sums < 1_000_000) return Math.round(sums / 10_000) * 10_000 - 1_000
  if (sums < 10_000_000) return Math.round(sums / 50_000) * 50_000 - 1_000
  return Math.round(sums / 100_000) * 100_000 - 1_000
}

export const inTiyin = (sums: number): number => sums * 100
