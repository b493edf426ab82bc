// Random order of the first positions, for a share of the lists of a group. The probability of every position is
// logged, so that the clicks and purchases of these lists show what another model would have earned (`off-policy.ts`).

import { hashShare } from './assignment.ts'

/** Lower positions are seen too rarely to learn from. */
export const shuffledPlaces = 6

export interface Shuffle {
  /** The share of lists whose first positions are in a random order. */
  share: number
  /** For each shown position, from 0, the position of its offer in the ranking. */
  order: number[]
}

/** The order of a list, from its id alone: every order is equally likely in the share of lists that are shuffled. */
export function shuffleFor(listId: string, share: number, length: number): Shuffle {
  const order = Array.from({ length: Math.min(shuffledPlaces, length) }, (_, place) => place)
  if (hashShare('shuffle', listId) >= share) return { share, order }
  for (let place = order.length - 1; place > 0; place--) {
    const other = Math.floor(hashShare(`shuffle ${place}`, listId) * (place + 1))
    ;[order[place], order[other]] = [order[other]!, order[place]!]
  }
  return { share, order }
}

/** The first places in the order of a shuffle, the rest as it was. */
export const shuffled = <T>(items: readonly T[], { order }: Shuffle): T[] => [
  ...order.map((from) => items[from]!),
  ...items.slice(order.length),
]

/** The probability that the offer which the ranking put on place `from` is shown on place `to`. */
export const propensity = ({ share, order }: Shuffle, from: number, to: number): number =>
  (from === to ? 1 - share : 0) + share / order.length
