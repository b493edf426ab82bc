// How much the rules of a page may decide: as much as they can without costing more accuracy than the bound on held-out
// cases. What no shopper wants (a second colour, a part for another model, a second durable of a kind that is in the cart)
// comes last in any case and does not count as a cost.

import { ndcgAt } from '../../ml/metrics.ts'
import { relativeGainOf } from '../../ml/relative-gain.ts'
import { sharesArrangerOf } from '../serving/arrange.ts'
import type { ModelQuery } from '../serving/model-query.ts'
import { fullRuleShares, type Model, type RuleShares } from './model.ts'

/** The largest relative loss of NDCG@10 by the rules of a page. */
export const mostRuleCost = 0.05

/** How many standard errors a cost must be below the bound by, so that nineteen of twenty trainings keep it in a later week. */
const sureErrors = 1.645

/** From full rules to none. */
export const shares = Array.from({ length: 11 }, (_, at) => (10 - at) / 10)
const listLength = 30
const measuredPlaces = 10
export const casesOfPage = 2_000
/** Cases that have an answer in the list, with or without rules. With fewer the cost is chance, and the rules stay. */
const fewestAnswered = 100

/** A held-out case as the model ranks it, before the rules. */
export interface RankedCase {
  query: ModelQuery
  buyer: number
  relevant: ReadonlySet<number>
  ranked: Int32Array
}

/** The NDCG of each share in a case, from full rules to none. */
export interface ShareFigures {
  buyer: number
  ndcg: readonly number[]
}

/** By page and case, the latest cases of each page. */
export function ruleFigures(
  model: Model,
  cases: readonly RankedCase[],
): Map<ModelQuery['layer'], ShareFigures[]> {
  const arrange = sharesArrangerOf(model)
  const figuresOf = ({ query, buyer, relevant, ranked }: RankedCase): ShareFigures => ({
    buyer,
    ndcg: arrange(ranked, query, listLength, shares).map((list) => ndcgAt(list, relevant, measuredPlaces)),
  })
  return new Map(
    [...Map.groupBy(cases, (it) => it.query.layer)].map(([layer, own]) => [
      layer,
      own.slice(-casesOfPage).map(figuresOf),
    ]),
  )
}

/** Pages where the cases of one week do not prove that the rules may decide everything. */
export const undecidedPages = (figures: ReturnType<typeof ruleFigures>): ModelQuery['layer'][] =>
  (Object.keys(fullRuleShares) as ModelQuery['layer'][]).filter(
    (layer) => chooseShare(figures.get(layer) ?? [])?.share !== 1,
  )

/** `earlier` has cases of undecided pages from the week before. */
export async function chooseRuleShares(
  figures: ReturnType<typeof ruleFigures>,
  earlier: ReturnType<typeof ruleFigures>,
  report: (line: string) => void | Promise<void>,
): Promise<RuleShares> {
  const chosen: Record<ModelQuery['layer'], number> = { ...fullRuleShares }
  for (const layer of Object.keys(fullRuleShares) as ModelQuery['layer'][]) {
    const found = chooseShare(figures.get(layer) ?? [], earlier.get(layer))
    if (!found) continue
    chosen[layer] = found.share
    await report(
      `rules of ${layer}: ${percent(found.cost)} of NDCG@10, surely at most ${percent(found.atMost)}, for ${found.share * 100} % of the places, by ${found.answered} answered cases`,
    )
  }
  return chosen
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const answeredOf = (figures: readonly ShareFigures[]): ShareFigures[] =>
  figures.filter(({ ndcg }) => ndcg.some((figure) => figure > 0))

/**
 * The largest share that is surely within the bound, its cost, and what the cost may be in other weeks; undefined with too
 * few answers. The figures are those of a week, and those of the time before it.
 */
export function chooseShare(
  figures: readonly ShareFigures[],
  earlier: readonly ShareFigures[] = [],
): { share: number; cost: number; atMost: number; answered: number } | undefined {
  const answered = answeredOf([...earlier, ...figures])
  if (answered.length < fewestAnswered) return undefined
  const weeks = answered.length / Math.max(fewestAnswered, answeredOf(figures).length)
  const costs = shares.map((_, at) => costOf(answered, at, weeks))
  const at = costs.findIndex(({ atMost }) => atMost <= mostRuleCost)
  return { share: shares[at]!, ...costs[at]!, answered: answered.length }
}

/** In a later week the cost has the error of a week besides that of this figure, which is of so many `weeks`. */
function costOf(
  answered: readonly ShareFigures[],
  at: number,
  weeks: number,
): { cost: number; atMost: number } {
  const { gain, error } = relativeGainOf(
    answered.map(({ buyer, ndcg }) => ({ group: buyer, before: [ndcg.at(-1)!], after: [ndcg[at]!] })),
  )
  // Equal figures cost nothing, also where there are too few buyers for an error.
  const isSame = answered.every(({ ndcg }) => ndcg[at] === ndcg.at(-1))
  return { cost: -gain, atMost: isSame ? 0 : sureErrors * error * Math.sqrt(1 + weeks) - gain }
}
