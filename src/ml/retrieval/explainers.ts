// Why a retriever gives an item its score: what of the history added how much. Explaining is apart from scoring, which
// does not wait for it.

import { leadersOf } from './popularity.ts'
import type { Recency } from './neighbours.ts'
import type { Csr } from './sparse.ts'

export interface Reason {
  /** The item of the history; null for what does not depend on a history. */
  from: number | null
  /** Negative where it lowers the score. */
  added: number
}

/** The reasons for one item, the strongest first. They add up to the score that the retriever gives it. */
export type Explainer = (history: ArrayLike<number>, item: number) => Reason[]

/** Adds up reasons by item of the history. */
export class ReasonSums {
  readonly #sums = new Map<number, number>()

  add(from: number, added: number): void {
    if (added !== 0) this.#sums.set(from, (this.#sums.get(from) ?? 0) + added)
  }

  reasons(): Reason[] {
    return Array.from(this.#sums, ([from, added]) => ({ from, added })).toSorted(
      (a, b) => Math.abs(b.added) - Math.abs(a.added) || a.from - b.from,
    )
  }
}

/** For models that learn neighbours: the weight of the item in the row of each item of the history. */
export const neighbourExplainer =
  ({ rows, offsets, indices, values }: Csr, { fade, last }: Recency): Explainer =>
  (history, item) => {
    const sums = new ReasonSums()
    for (let back = 0; back < Math.min(last, history.length); back++) {
      const from = history[history.length - 1 - back]!
      if (!(from >= 0 && from < rows)) continue
      const place = indices.subarray(offsets[from], offsets[from + 1]).indexOf(item)
      if (place >= 0) sums.add(from, Math.exp(-fade * back) * values[offsets[from]! + place]!)
    }
    return sums.reasons()
  }

/** For repeated items: the latest touch of the item itself. */
export const againExplainer =
  (items: number, fade: number): Explainer =>
  (history, item) => {
    if (!(item >= 0 && item < items)) return []
    const at = Array.prototype.lastIndexOf.call(history, item)
    return at < 0 ? [] : [{ from: item, added: Math.exp(-fade * (history.length - 1 - at)) }]
  }

/** What is popular is popular for every history. */
export function popularityExplainer(weights: Float64Array): Explainer {
  const proposed = new Set(leadersOf(weights))
  return (_history, item) => (proposed.has(item) ? [{ from: null, added: weights[item]! }] : [])
}
