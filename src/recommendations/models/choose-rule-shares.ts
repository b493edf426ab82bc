// How much the rules of a page may decide: as much as they can without costing more accuracy than the bound on held-out
// cases. What no shopper wants (a second colour, a part for another model, a second durable of a kind that is in the cart)
// comes last in any case and does not count as a cost.

import { ndcgAt } from '../../ml/metrics.ts'
import { arrangerOf } from '../serving/arrange.ts'
import type { ModelQuery } from '../serving/model-query.ts'
import { rankerOf } from '../serving/ranker.ts'
import type { Case } from './cases.ts'
import { orderOf } from './measure.ts'
import { fullRuleShares, type Model, type RuleShares } from './model.ts'
import { exampleBuilderOf, exampleOf } from './training-examples.ts'

/** The largest relative loss of NDCG@10 by the rules of a page. */
export const mostRuleCost = 0.05

const shares = [1, 0.8, 0.6, 0.4, 0.2, 0]
const listLength = 30
const measuredPlaces = 10
const casesOfPage = 800
/** With fewer cases that have an answer in the list, with or without rules, the cost is not known. */
const fewestAnswered = 100

export async function chooseRuleShares(
  model: Model,
  cases: readonly Case[],
  report: (line: string) => void | Promise<void>,
): Promise<RuleShares> {
  const builder = exampleBuilderOf(model)
  const ranker = model.ranker && rankerOf(model.ranker)
  const arrange = arrangerOf(model)
  /** By case, the NDCG of each share. */
  const figuresOf = (testCase: Case): number[] => {
    const { candidates, features } = exampleOf(builder, testCase)
    const scores = ranker?.scores(features, candidates.items.length)
    const ranked = orderOf(candidates.items, scores) ?? candidates.items
    const relevant = new Set(testCase.grades.keys())
    return shares.map((share) =>
      ndcgAt(arrange(ranked, testCase.query, listLength, share), relevant, measuredPlaces),
    )
  }
  const chosen: Record<ModelQuery['layer'], number> = { ...fullRuleShares }
  for (const [layer, own] of Map.groupBy(cases, (it) => it.query.layer)) {
    const found = chooseShare(own.slice(-casesOfPage).map(figuresOf))
    if (!found) continue
    chosen[layer] = found.share
    await report(
      `rules of ${layer}: ${(found.cost * 100).toFixed(1)} % of NDCG@10 for ${found.share * 100} % of the places`,
    )
  }
  return chosen
}

/** The largest share within the bound, and its cost; undefined with too few answers. */
export function chooseShare(
  figures: readonly (readonly number[])[],
): { share: number; cost: number } | undefined {
  const answered = figures.filter((row) => row.some((figure) => figure > 0))
  if (answered.length < fewestAnswered) return undefined
  const sums = shares.map((_, at) => answered.reduce((sum, row) => sum + row[at]!, 0))
  const without = sums.at(-1)!
  const costs = sums.map((sum) => (without - sum) / Math.max(without, Number.EPSILON))
  const at = costs.findIndex((cost) => cost <= mostRuleCost)
  return { share: shares[at]!, cost: costs[at]! }
}
