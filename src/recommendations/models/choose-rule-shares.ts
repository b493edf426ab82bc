// How much the rules of a page may decide: as much as they can without costing more accuracy than the bound on held-out
// cases. What no shopper wants (a second colour, a part for another model, a second durable of a kind that is in the cart)
// comes last in any case and does not count as a cost.

import { ndcgAt } from '../../ml/metrics.ts'
import { sharesArrangerOf } from '../serving/arrange.ts'
import type { ModelQuery } from '../serving/model-query.ts'
import { fullRuleShares, type Model, type RuleShares } from './model.ts'

/** The largest relative loss of NDCG@10 by the rules of a page. */
export const mostRuleCost = 0.05

/** From full rules to none. */
export const shares = Array.from({ length: 11 }, (_, at) => (10 - at) / 10)
const listLength = 30
const measuredPlaces = 10
export const casesOfPage = 800
/** Cases that have an answer in the list, with or without rules. With fewer the cost is chance, and the rules stay. */
const fewestAnswered = 100

/** A held-out case as the model ranks it, before the rules. */
export interface RankedCase {
  query: ModelQuery
  relevant: ReadonlySet<number>
  ranked: Int32Array
}

/** The NDCG of each share in a case, from full rules to none. */
type ShareFigures = readonly number[]

/** By page and case, the latest cases of each page. */
export function ruleFigures(
  model: Model,
  cases: readonly RankedCase[],
): Map<ModelQuery['layer'], ShareFigures[]> {
  const arrange = sharesArrangerOf(model)
  const figuresOf = ({ query, relevant, ranked }: RankedCase): ShareFigures =>
    arrange(ranked, query, listLength, shares).map((list) => ndcgAt(list, relevant, measuredPlaces))
  return new Map(
    [...Map.groupBy(cases, (it) => it.query.layer)].map(([layer, own]) => [
      layer,
      own.slice(-casesOfPage).map(figuresOf),
    ]),
  )
}

/** Pages whose mean cost is not known from these cases. */
export const undecidedPages = (figures: ReturnType<typeof ruleFigures>): ModelQuery['layer'][] =>
  (Object.keys(fullRuleShares) as ModelQuery['layer'][]).filter(
    (layer) => answeredOf(figures.get(layer) ?? []).length < fewestAnswered,
  )

/** `earlier` has cases of undecided pages from the days before. */
export async function chooseRuleShares(
  figures: ReturnType<typeof ruleFigures>,
  earlier: ReturnType<typeof ruleFigures>,
  report: (line: string) => void | Promise<void>,
): Promise<RuleShares> {
  const chosen: Record<ModelQuery['layer'], number> = { ...fullRuleShares }
  for (const layer of Object.keys(fullRuleShares) as ModelQuery['layer'][]) {
    const found = chooseShare([...(earlier.get(layer) ?? []), ...(figures.get(layer) ?? [])])
    if (!found) continue
    chosen[layer] = found.share
    await report(
      `rules of ${layer}: ${(found.cost * 100).toFixed(1)} % of NDCG@10 for ${found.share * 100} % of the places, by ${found.answered} answered cases`,
    )
  }
  return chosen
}

const answeredOf = (figures: readonly ShareFigures[]): ShareFigures[] =>
  figures.filter((row) => row.some((figure) => figure > 0))

/** The largest share within the bound, and its cost; undefined with too few answers. */
export function chooseShare(
  figures: readonly ShareFigures[],
): { share: number; cost: number; answered: number } | undefined {
  const answered = answeredOf(figures)
  if (answered.length < fewestAnswered) return undefined
  const sums = shares.map((_, at) => answered.reduce((sum, row) => sum + row[at]!, 0))
  const without = sums.at(-1)!
  const costs = sums.map((sum) => (without - sum) / Math.max(without, Number.EPSILON))
  const at = costs.findIndex((cost) => cost <= mostRuleCost)
  return { share: shares[at]!, cost: costs[at]!, answered: answered.length }
}
