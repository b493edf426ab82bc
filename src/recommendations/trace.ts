// What happened on the way to a list, for whoever asks why.

import { type Candidates, sourceNames } from './engine/candidates.ts'
import type { Features } from './engine/features.ts'
import type { Serving } from './model-keeper.ts'

export type Rule =
  | 'on_the_page'
  | 'bought_lately'
  | 'in_the_cart'
  | 'not_for_sale'
  | 'sold_out'
  | 'partner_has_enough'
  | 'category_has_enough'

export interface Proposed {
  candidates: Candidates
  features: Features
  scores: Float64Array | undefined
}

export interface Reason {
  sources: { source: string; score: number }[]
  rankBefore: number | null
  rankAfter: number | null
  score: number | null
  contributions: { feature: string; added: number }[]
}

const shownContributions = 5

export class Trace {
  readonly rules = new Map<number, Rule>()
  #serving: Serving | undefined
  #proposed: Proposed | undefined

  removed(productIds: readonly number[], rule: (productId: number) => Rule): void {
    for (const id of productIds) if (!this.rules.has(id)) this.rules.set(id, rule(id))
  }

  proposed(serving: Serving, proposed: Proposed): void {
    this.#serving = serving
    this.#proposed = proposed
  }

  /** Why a product stands where it stands; without sources it was put there to fill the list or to be tried. */
  reasonOf(productId: number): Reason {
    const nothing: Reason = { sources: [], rankBefore: null, rankAfter: null, score: null, contributions: [] }
    const place = this.#serving?.placeOf.get(productId)
    if (!this.#serving || !this.#proposed || place === undefined) return nothing
    const { candidates, features, scores } = this.#proposed
    const row = candidates.items.indexOf(place)
    if (row < 0) return nothing
    const better =
      scores &&
      scores.reduce(
        (count, it, at) => count + Number(it > scores[row]! || (it === scores[row] && at < row)),
        0,
      )
    return {
      sources: sourceNames
        .map((source, at) => ({ source, score: candidates.scores[at]![row]! }))
        .filter((it) => it.score > 0)
        .sort((a, b) => b.score - a.score),
      rankBefore: row + 1,
      rankAfter: better === undefined ? null : better + 1,
      score: scores?.[row] ?? null,
      contributions:
        scores && this.#serving.ranker
          ? this.#serving.ranker.reasons(features, [row])[0]!.slice(0, shownContributions)
          : [],
    }
  }
}
