// Measures lists on held-out cases.

import { hitAt, ndcgAt, recallAt } from '../../ml/metrics.ts'
import { topK } from '../../ml/top-k.ts'
import { excludedItems } from '../serving/candidates.ts'
import type { Case } from './cases.ts'
import { type Items, placesOf } from './items.ts'
import { exampleOf, exampleBuilderOf } from './training-examples.ts'
import type { Comparison, Figures, Metrics, Model } from './model.ts'
import { profileOf } from '../serving/buyer-profile.ts'
import { type Ranker, rankerOf } from '../serving/ranker.ts'

/** The figures of ranker, candidates and popularity on the same cases. */
export function measureModel(model: Model, cases: readonly Case[], ranker: Ranker | undefined): Metrics {
  const builder = exampleBuilderOf(model)
  const popular = Array.from(model.popularity.keys()).sort(
    (a, b) => model.popularity[b]! - model.popularity[a]! || a - b,
  )
  const sums = { ranker: noFigures(), candidates: noFigures(), popularity: noFigures() }
  for (const testCase of cases) {
    const { candidates, features } = exampleOf(builder, testCase)
    const relevant = new Set(testCase.grades.keys())
    add(sums.candidates, candidates.items, relevant)
    const out = excludedItems(model, testCase.query)
    add(
      sums.popularity,
      popular.slice(0, 200).filter((it) => !out.has(it)),
      relevant,
    )
    const order = ranker && orderOf(candidates.items, ranker.scores(features, candidates.items.length))
    if (order) add(sums.ranker, order, relevant)
  }
  return {
    cases: cases.length,
    ranker: ranker ? mean(sums.ranker, cases) : null,
    candidates: mean(sums.candidates, cases),
    popularity: mean(sums.popularity, cases),
  }
}

/** Compares two models on the same cases; items are numbered as in `fresh`. */
export const compareModels = (fresh: Model, live: Model, cases: readonly Case[]): Comparison => ({
  cases: cases.length,
  fresh: answered(fresh, cases),
  live: answered(live, cases.map(translator(fresh.items, live.items))),
})

function answered(model: Model, cases: readonly Case[]): Figures {
  const builder = exampleBuilderOf(model)
  const ranker = model.ranker && rankerOf(model.ranker)
  const sums = noFigures()
  for (const testCase of cases) {
    const { candidates, features } = exampleOf(builder, testCase)
    const order = ranker && orderOf(candidates.items, ranker.scores(features, candidates.items.length))
    add(sums, order ?? candidates.items, new Set(testCase.grades.keys()))
  }
  return mean(sums, cases)
}

/** Renumbers a case for another model. Relevant items that it does not know still count as missed. */
function translator(from: Items, to: Items): (it: Case) => Case {
  const placeOf = placesOf(to)
  const place = (item: number) => placeOf.get(from.productIds[item]!)
  return ({ query, steps, grades }) => {
    const context = query.context.flatMap((it) => place(it) ?? [])
    const known = steps.flatMap((it) => {
      const item = place(it.item)
      return item === undefined ? [] : [{ ...it, item }]
    })
    const layer = context.length > 0 ? query.layer : 'main_page'
    return {
      query: { ...query, layer, context, profile: profileOf(to, known) },
      steps: known,
      grades: new Map([...grades].map(([item, grade]) => [place(item) ?? -1 - item, grade])),
    }
  }
}

/** Items by score, ties in their given order; undefined when there are no scores. */
export function orderOf(items: Int32Array, scores: Float64Array | undefined): Int32Array | undefined {
  return scores && topK(scores, items.length).ids.map((row) => items[row]!)
}

const noFigures = (): Figures => ({ ndcg10: 0, hit10: 0, recall30: 0 })

function add(to: Figures, list: ArrayLike<number>, relevant: ReadonlySet<number>): void {
  to.ndcg10 += ndcgAt(list, relevant, 10)
  to.hit10 += hitAt(list, relevant, 10)
  to.recall30 += recallAt(list, relevant, 30)
}

const mean = ({ ndcg10, hit10, recall30 }: Figures, cases: readonly Case[]): Figures => {
  const count = Math.max(1, cases.length)
  return { ndcg10: ndcg10 / count, hit10: hit10 / count, recall30: recall30 / count }
}
