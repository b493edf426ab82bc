// Records how a list was built, for explanations.

import { type Candidates, type SourceName, sourceNames } from './candidates.ts'
import type { Features } from './features.ts'
import type { ModelQuery } from './model-query.ts'
import type { ServingModel } from '../models/active-model.ts'

export type ExclusionRule =
  | 'on_page'
  | 'bought_recently'
  | 'in_cart'
  | 'not_for_sale'
  | 'sold_out'
  | 'partner_limit'
  | 'category_limit'

export interface RankingTrace {
  query: ModelQuery
  candidates: Candidates
  features: Features
  scores: Float64Array | undefined
}

/** A source that proposed an item. */
export interface ProposingSource {
  source: SourceName
  /** Relative to the best of the source. */
  score: number
  /** The products that gave it most of this score, the strongest first; with those that are not listed they add up to it. */
  because: { productId: number; added: number }[]
}

/** The others are rarely worth a line. */
const shownReasons = 3

export interface RankingReason {
  sources: ProposingSource[]
  rankBefore: number | null
  rankAfter: number | null
  score: number | null
  contributions: { feature: string; added: number }[]
}

const shownContributions = 5

/** The reasons of a source for an item, as parts of its relative score. */
function becauseOf(
  { reasonsOf, model }: ServingModel,
  query: ModelQuery,
  { source, score, item }: { source: SourceName; score: number; item: number },
): ProposingSource['because'] {
  const reasons = reasonsOf(query, source, item)
  const whole = reasons.reduce((sum, it) => sum + it.added, 0)
  // Scores have 32 bits and reasons 64: of a score near zero the parts say nothing.
  if (!(whole > 0)) return []
  return reasons
    .slice(0, shownReasons)
    .flatMap(({ from, added }) =>
      from === null ? [] : [{ productId: model.items.productIds[from]!, added: (added / whole) * score }],
    )
}

export class Trace {
  readonly rules = new Map<number, ExclusionRule>()
  #serving: ServingModel | undefined
  #ranking: RankingTrace | undefined

  /** The first rule of a product is kept. */
  exclude(productIds: readonly number[], rule: ExclusionRule): void {
    for (const id of productIds) if (!this.rules.has(id)) this.rules.set(id, rule)
  }

  rank(serving: ServingModel, ranking: RankingTrace): void {
    this.#serving = serving
    this.#ranking = ranking
  }

  /** Why a product has its rank; without sources it was no candidate. */
  reasonOf(productId: number): RankingReason {
    const none: RankingReason = {
      sources: [],
      rankBefore: null,
      rankAfter: null,
      score: null,
      contributions: [],
    }
    const item = this.#serving?.rowOf.get(productId)
    if (!this.#serving || !this.#ranking || item === undefined) return none
    const { query, candidates, features, scores } = this.#ranking
    const row = candidates.items.indexOf(item)
    if (row < 0) return none
    const isRanked = scores !== undefined && row < scores.length
    const better = isRanked
      ? scores.reduce(
          (count, it, at) => count + Number(it > scores[row]! || (it === scores[row] && at < row)),
          0,
        )
      : row
    return {
      sources: sourceNames
        .map((source, at) => ({ source, score: candidates.scores[at]![row]! }))
        .filter((it) => it.score > 0)
        .map((it) => ({ ...it, because: becauseOf(this.#serving!, query, { ...it, item }) }))
        .sort((a, b) => b.score - a.score),
      rankBefore: row + 1,
      rankAfter: scores ? better + 1 : null,
      score: scores?.[row] ?? null,
      contributions:
        isRanked && this.#serving.ranker
          ? this.#serving.ranker.reasons(features, [row])[0]!.slice(0, shownContributions)
          : [],
    }
  }
}
