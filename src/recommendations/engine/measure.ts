// How good lists are on questions that nothing was learnt from.

import { hitAt, ndcgAt, recallAt } from '../ml/metrics.ts'
import { topK } from '../ml/top-k.ts'
import { unwelcome } from './candidates.ts'
import type { Case } from './cases.ts'
import { type Items, placesOf } from './items.ts'
import { lessonOf, schoolOf } from './lessons.ts'
import type { Contest, Figures, Metrics, Model } from './model.ts'
import { pastOf } from './past.ts'
import { type Ranker, rankerOf } from './ranker.ts'

/** The figures of three ways to answer the same questions. */
export function measured(model: Model, cases: readonly Case[], ranker: Ranker | undefined): Metrics {
  const school = schoolOf(model)
  const popular = Array.from(model.popularity.keys()).sort(
    (a, b) => model.popularity[b]! - model.popularity[a]! || a - b,
  )
  const sums = { ranker: noFigures(), candidates: noFigures(), popularity: noFigures() }
  for (const asked of cases) {
    const { candidates, features } = lessonOf(school, asked)
    const relevant = new Set(asked.grades.keys())
    add(sums.candidates, candidates.items, relevant)
    const out = unwelcome(model, asked.inquiry)
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

/** Two models asked the same questions, each as it would answer; the cases speak of goods by their places in `fresh`. */
export const contest = (fresh: Model, live: Model, cases: readonly Case[]): Contest => ({
  cases: cases.length,
  fresh: answered(fresh, cases),
  live: answered(live, cases.map(translator(fresh.items, live.items))),
})

function answered(model: Model, cases: readonly Case[]): Figures {
  const school = schoolOf(model)
  const ranker = model.ranker && rankerOf(model.ranker)
  const sums = noFigures()
  for (const asked of cases) {
    const { candidates, features } = lessonOf(school, asked)
    const order = ranker && orderOf(candidates.items, ranker.scores(features, candidates.items.length))
    add(sums, order ?? candidates.items, new Set(asked.grades.keys()))
  }
  return mean(sums, cases)
}

/** Puts a case in the places of another model. An answer that it does not know stays one that it should have known. */
function translator(from: Items, to: Items): (it: Case) => Case {
  const placeOf = placesOf(to)
  const place = (item: number) => placeOf.get(from.productIds[item]!)
  return ({ inquiry, steps, grades }) => {
    const context = inquiry.context.flatMap((it) => place(it) ?? [])
    const known = steps.flatMap((it) => {
      const item = place(it.item)
      return item === undefined ? [] : [{ ...it, item }]
    })
    const layer = context.length > 0 ? inquiry.layer : 'main_page'
    return {
      inquiry: { ...inquiry, layer, context, past: pastOf(to, known) },
      steps: known,
      grades: new Map([...grades].map(([item, grade]) => [place(item) ?? -1 - item, grade])),
    }
  }
}

/** Items by their scores, ties as they stood; undefined when there are no scores. */
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
