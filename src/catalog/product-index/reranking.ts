// Applies the learned ranker to rows that match nearly alike. The others keep their order below them.

import { TopK } from '../../search/index.ts'
import type { Candidates, SearchRanker } from '../search-learning/ranker.ts'
import type { Columns } from './columns.ts'
import type { Region } from './indexed-product.ts'

/** Rows below this share of the best score match worse: no ranker puts them before better matches. */
const nearlyAlikeShare = 0.8
/** Below what availability and popularity take from a score, so that equal matches are kept together. */
const relevantShare = 0.85
/** The ranker orders at most this many. */
export const maxCandidates = 100
/** Keeps equal scores apart, so that the learned order is the order of the scores. */
const leastStep = 1e-9

interface Scored {
  slots: Int32Array
  scores: Float64Array
}

/** Slots and scores of the rows that match nearly as well as the best, the best first. */
export function nearlyBest({ slots, scores }: Scored): { slots: number[]; scores: Float64Array } {
  const best = bestScore({ slots, scores })
  const first = new TopK(maxCandidates, (one, other) => scores[other]! - scores[one]! || one - other)
  for (let at = 0; at < slots.length; at++)
    if (scores[slots[at]!]! >= best * nearlyAlikeShare) first.add(slots[at]!)
  const sorted = first.sorted()
  return { slots: sorted, scores: Float64Array.from(sorted, (slot) => scores[slot]!) }
}

/** The rows that match nearly as well as the best, in their order. Sorted by price, cables would come before phones. */
export function relevantOf({ slots, scores }: Scored): Int32Array {
  const least = bestScore({ slots, scores }) * relevantShare
  return slots.filter((slot) => scores[slot]! >= least)
}

function bestScore({ slots, scores }: Scored): number {
  let best = 0
  for (let at = 0; at < slots.length; at++) best = Math.max(best, scores[slots[at]!]!)
  return best
}

export function candidatesOf(
  columns: Columns,
  region: Region,
  { slots, scores }: ReturnType<typeof nearlyBest>,
): Candidates {
  const { price, rating, discount, inStock } = columns.in[region]
  const { id, popularity, brand, brandIds, path, paths, categoryIds } = columns
  const read = (value: (slot: number) => number) => Float64Array.from(slots, value)
  return {
    ids: read((slot) => id[slot]!),
    scores: scores.map((it) => it / scores[0]!),
    popularity: read((slot) => popularity[slot]!),
    prices: read((slot) => price[slot]!),
    ratings: read((slot) => rating[slot]!),
    discounts: read((slot) => discount[slot]!),
    inStock: Uint8Array.from(slots, (slot) => inStock[slot]!),
    brandIds: read((slot) => brandIds.ids[brand[slot]!] ?? 0),
    categoryIds: read((slot) => categoryIds.ids[paths.at(path[slot]!).at(-1)!] ?? 0),
  }
}

/** Gives the rows that match nearly alike scores in the learned order, between those that they have. */
export function rerank(
  columns: Columns,
  found: Scored,
  { query, region, ranker }: { query: string; region: Region; ranker: SearchRanker },
): void {
  const alike = nearlyBest(found)
  if (alike.slots.length < 2) return
  const order = ranker.order(query, candidatesOf(columns, region, alike))
  const least = alike.scores.at(-1)!
  const step = Math.max((alike.scores[0]! - least) / alike.slots.length, least * leastStep)
  for (const [place, at] of order.entries())
    found.scores[alike.slots[at]!] = least + (alike.slots.length - place) * step
}
