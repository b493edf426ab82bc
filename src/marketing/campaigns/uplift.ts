// What a campaign brought: how many more of a hundred buy when they are written to than when they are not.

export interface Group {
  clients: number
  /** Of them, those who bought. */
  buyers: number
}

export interface Uplift {
  /** Between 0 and 1. */
  told: number
  heldOut: number
  difference: number
  /** Between which differences the true one lies, nineteen times out of twenty. */
  low: number
  high: number
}

/** The point of the normal distribution that leaves one in forty on each side. */
const z = 1.959964

/**
 * The difference of the two rates with its interval, by Newcombe's hybrid of two Wilson scores, which holds for small
 * groups and for rates near nought; undefined while one of the groups is empty.
 */
export function upliftOf(told: Group, heldOut: Group): Uplift | undefined {
  if (told.clients === 0 || heldOut.clients === 0) return undefined
  const [a, b] = [wilson(told), wilson(heldOut)]
  const difference = a.rate - b.rate
  return {
    told: a.rate,
    heldOut: b.rate,
    difference,
    low: difference - Math.hypot(a.rate - a.low, b.high - b.rate),
    high: difference + Math.hypot(a.high - a.rate, b.rate - b.low),
  }
}

function wilson({ clients, buyers }: Group): { rate: number; low: number; high: number } {
  const rate = buyers / clients
  const spread = z * Math.sqrt(z ** 2 + 4 * buyers * (1 - rate))
  const [middle, whole] = [2 * buyers + z ** 2, 2 * (clients + z ** 2)]
  return { rate, low: Math.max(0, (middle - spread) / whole), high: Math.min(1, (middle + spread) / whole) }
}
