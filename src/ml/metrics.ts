// How good lists and scores are. Every figure is a plain number: empty input gives 0, never NaN.

import { topK } from './top-k.ts'

type Ids = ArrayLike<number>

/** The share of the relevant items found among the first k of the list. */
export function recallAt(list: Ids, relevant: ReadonlySet<number>, k: number): number {
  return relevant.size === 0 ? 0 : hitsAt(list, relevant, k) / relevant.size
}

/** Binary NDCG: a hit at position p counts 1 / log2(p + 1), against the best order possible. */
export function ndcgAt(list: Ids, relevant: ReadonlySet<number>, k: number): number {
  if (relevant.size === 0) return 0
  let gain = 0
  let best = 0
  for (let at = 0; at < Math.min(k, list.length); at++) {
    if (relevant.has(list[at]!)) gain += 1 / Math.log2(at + 2)
  }
  for (let at = 0; at < Math.min(k, relevant.size); at++) best += 1 / Math.log2(at + 2)
  return gain / best
}

/** 1 when any relevant item is among the first k, else 0. */
export function hitAt(list: Ids, relevant: ReadonlySet<number>, k: number): number {
  return hitsAt(list, relevant, k) > 0 ? 1 : 0
}

/** One over the position of the first relevant item, 0 when it is below k. */
export function reciprocalRankAt(list: Ids, relevant: ReadonlySet<number>, k: number): number {
  for (let at = 0; at < Math.min(k, list.length); at++) if (relevant.has(list[at]!)) return 1 / (at + 1)
  return 0
}

/** The position of an item in a full ranking by score, from 1; those with an equal score count half. */
export function positionOf(scores: ArrayLike<number>, item: number): number {
  const own = scores[item] ?? 0
  let above = 0
  let equal = 0
  for (let at = 0; at < scores.length; at++) {
    if (scores[at]! > own) above++
    else if (scores[at] === own && at !== item) equal++
  }
  return 1 + above + equal / 2
}

/** NDCG of graded relevances given in ranked order, gain 2^relevance − 1; nothing relevant counts 1. */
export function gradedNdcgAt(rankedRelevances: ArrayLike<number>, k: number): number {
  const best = idealGainAt(rankedRelevances, k)
  return best === 0 ? 1 : discountedGain(rankedRelevances, k) / best
}

/** The same for rows ranked by their scores; equal scores keep the order of the rows. */
export function scoredNdcgAt(relevances: Float64Array, scores: Float64Array, k: number): number {
  const best = idealGainAt(relevances, k)
  if (best === 0) return 1
  const ranked = Array.from(topK(scores, k).ids, (row) => relevances[row]!)
  return discountedGain(ranked, k) / best
}

/** What the first k places gain in the best order of these relevances. */
export function idealGainAt(relevances: ArrayLike<number>, k: number): number {
  return discountedGain(Float64Array.from(relevances).sort().reverse(), k)
}

function discountedGain(relevances: ArrayLike<number>, k: number): number {
  let sum = 0
  for (let at = 0; at < Math.min(k, relevances.length); at++) {
    sum += (2 ** relevances[at]! - 1) / Math.log2(at + 2)
  }
  return sum
}

/** The share of the catalog that at least one list shows. */
export function coverage(lists: Iterable<Ids>, items: number): number {
  const shown = showings(lists, items)
  return items === 0 ? 0 : shown.reduce((count, times) => count + (times > 0 ? 1 : 0), 0) / items
}

/** How unevenly lists show the catalog: 0 when every item is shown alike, near 1 when a few take all. */
export function gini(lists: Iterable<Ids>, items: number): number {
  const shown = showings(lists, items).toSorted()
  let total = 0
  let weighted = 0
  for (let at = 0; at < items; at++) {
    total += shown[at]!
    weighted += (at + 1) * shown[at]!
  }
  return total === 0 ? 0 : (2 * weighted) / (items * total) - (items + 1) / items
}

/** One minus the mean similarity of the pairs inside a list, averaged over lists of two and more. */
export function diversity(lists: Iterable<Ids>, similarity: (a: number, b: number) => number): number {
  let sum = 0
  let count = 0
  for (const list of lists) {
    if (list.length < 2) continue
    let alike = 0
    for (let a = 0; a < list.length; a++) {
      for (let b = a + 1; b < list.length; b++) alike += similarity(list[a]!, list[b]!)
    }
    sum += 1 - alike / ((list.length * (list.length - 1)) / 2)
    count++
  }
  return count === 0 ? 0 : sum / count
}

/** The chance that a positive row scores above a negative one, ties half; 0.5 when one class is absent. */
export function auc(scores: ArrayLike<number>, labels: ArrayLike<number>): number {
  const order = Array.from({ length: scores.length }, (_, at) => at).toSorted(
    (a, b) => scores[a]! - scores[b]!,
  )
  let positives = 0
  let rankSum = 0
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && scores[order[to]!] === scores[order[from]!]) to++
    if (to === from) to++
    for (let at = from; at < to; at++) {
      if (labels[order[at]!]! <= 0) continue
      positives++
      rankSum += (from + to + 1) / 2
    }
    from = to
  }
  const negatives = scores.length - positives
  if (positives === 0 || negatives === 0) return 0.5
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
}

/** Mean log-loss of probabilities against labels 0 and 1; probabilities are kept 1e-15 from the ends. */
export function logLoss(probabilities: ArrayLike<number>, labels: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < labels.length; at++) {
    const p = Math.min(1 - 1e-15, Math.max(1e-15, probabilities[at]!))
    sum -= labels[at]! > 0 ? Math.log(p) : Math.log(1 - p)
  }
  return labels.length === 0 ? 0 : sum / labels.length
}

function hitsAt(list: Ids, relevant: ReadonlySet<number>, k: number): number {
  let hits = 0
  for (let at = 0; at < Math.min(k, list.length); at++) if (relevant.has(list[at]!)) hits++
  return hits
}

function showings(lists: Iterable<Ids>, items: number): Float64Array {
  const shown = new Float64Array(items)
  for (const list of lists) for (let at = 0; at < list.length; at++) shown[list[at]!]! += 1
  return shown
}
