// Measures lists on held-out cases.

import { hitAt, ndcgAt, recallAt } from '../../ml/metrics.ts'
import { scoreSorter } from '../../ml/sort-by-score.ts'
import { excludedItems } from '../serving/candidates.ts'
import type { ModelQuery } from '../serving/model-query.ts'
import type { Case } from './cases.ts'
import { type Items, placesOf } from './items.ts'
import { exampleOf, exampleBuilderOf } from './training-examples.ts'
import type { Comparison, Figures, Metrics, Model } from './model.ts'
import { profileOf } from '../serving/buyer-profile.ts'
import { type Ranker, rankerOf } from '../serving/ranker.ts'

/** What a model lists for a case, in the order of the blend and of each ranker. */
export interface Answer {
  query: ModelQuery
  buyer: number
  relevant: ReadonlySet<number>
  candidates: Int32Array
  ranked: readonly Int32Array[]
}

/** Candidates and features are computed once for all rankers: they cost more than the trees. */
export const answerCases = (model: Model, cases: readonly Case[], rankers: readonly Ranker[]): Answer[] =>
  cases.map(answeringBy(model, rankers))

export function answeringBy(model: Model, rankers: readonly Ranker[]): (testCase: Case) => Answer {
  const builder = exampleBuilderOf(model)
  return (testCase) => {
    const {
      candidates: { items },
      features,
    } = exampleOf(builder, testCase)
    const rankedBy = (ranker: Ranker) => orderOf(items, ranker.scores(features, items.length)) ?? items
    return {
      query: testCase.query,
      buyer: testCase.buyer,
      relevant: new Set(testCase.grades.keys()),
      candidates: items,
      ranked: rankers.map(rankedBy),
    }
  }
}

/** The figures of each ranker, of the candidates and of popularity on the same cases. */
export function measureAnswers(
  model: Model,
  answers: readonly Answer[],
): Pick<Metrics, 'cases'> & { candidates: Figures; popularity: Figures; rankers: Figures[] } {
  const popular = Array.from(model.popularity.keys())
    .sort((a, b) => model.popularity[b]! - model.popularity[a]! || a - b)
    .slice(0, mostPopular)
  const figures = (listOf: (answer: Answer) => ArrayLike<number>): Figures => {
    const sums = noFigures()
    for (const answer of answers) add(sums, listOf(answer), answer.relevant)
    return mean(sums, answers.length)
  }
  return {
    cases: answers.length,
    rankers: (answers[0]?.ranked ?? []).map((_, ranker) => figures((it) => it.ranked[ranker]!)),
    candidates: figures((it) => it.candidates),
    popularity: figures(({ query }) => {
      const out = excludedItems(model, query)
      return popular.filter((it) => !out.has(it))
    }),
  }
}

const mostPopular = 200

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
  return mean(sums, cases.length)
}

/** Renumbers a case for another model. Relevant items that it does not know still count as missed. */
function translator(from: Items, to: Items): (it: Case) => Case {
  const placeOf = placesOf(to)
  const place = (item: number) => placeOf.get(from.productIds[item]!)
  return ({ query, buyer, steps, grades }) => {
    const context = query.context.flatMap((it) => place(it) ?? [])
    const known = steps.flatMap((it) => {
      const item = place(it.item)
      return item === undefined ? [] : [{ ...it, item }]
    })
    const layer = context.length > 0 ? query.layer : 'main_page'
    return {
      query: { ...query, layer, context, profile: profileOf(to, known) },
      buyer,
      steps: known,
      grades: new Map([...grades].map(([item, grade]) => [place(item) ?? -1 - item, grade])),
    }
  }
}

/** Items by score, ties in their given order; undefined when there are no scores. */
export function orderOf(items: Int32Array, scores: Float64Array | undefined): Int32Array | undefined {
  if (!scores) return undefined
  const rows = new Int32Array(items.length)
  for (let row = 0; row < rows.length; row++) rows[row] = row
  scoreSorter(rows.length)(rows, scores.slice(), rows.length)
  for (let at = 0; at < rows.length; at++) rows[at] = items[rows[at]!]!
  return rows
}

const noFigures = (): Figures => ({ ndcg10: 0, hit10: 0, recall30: 0 })

/** The figures of one list. */
export const figuresOf = (list: ArrayLike<number>, relevant: ReadonlySet<number>): Figures => ({
  ndcg10: ndcgAt(list, relevant, 10),
  hit10: hitAt(list, relevant, 10),
  recall30: recallAt(list, relevant, 30),
})

function add(to: Figures, list: ArrayLike<number>, relevant: ReadonlySet<number>): void {
  const { ndcg10, hit10, recall30 } = figuresOf(list, relevant)
  to.ndcg10 += ndcg10
  to.hit10 += hit10
  to.recall30 += recall30
}

const mean = ({ ndcg10, hit10, recall30 }: Figures, cases: number): Figures => {
  const count = Math.max(1, cases)
  return { ndcg10: ndcg10 / count, hit10: hit10 / count, recall30: recall30 / count }
}
