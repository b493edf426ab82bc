// From a snapshot to a model: candidates learnt at three instants, a ranker on the visits between the first two, figures
// on the visits between the last two, and everything learnt once more until now.

import { topK } from '../ml/top-k.ts'
import { hitAt, ndcgAt, recallAt } from '../ml/metrics.ts'
import type { TreeModel } from '../ml/trees/model.ts'
import { trainTrees, type TrainData } from '../ml/trees/train.ts'
import { type Candidates, type Proposer, proposerOf, unwelcome } from './candidates.ts'
import { type Case, casesWithin } from './cases.ts'
import { type Describer, describerOf, featureNames, type Features } from './features.ts'
import { alikeGraph, fitGraphs, type FitOptions, type Snapshot } from './fit-graphs.ts'
import type { Figures, Metrics, Model } from './model.ts'
import { type Ranker, rankerOf } from './ranker.ts'

const week = 7
const dayMs = 86_400_000
const learningCases = 4_000
const measuredCases = 3_000
const candidatesPerCase = 100
/** Fewer visits than this teach a ranker nothing. */
const fewestCases = 200
const heldOutShare = 0.2
const trees = {
  loss: 'YetiRank',
  iterations: 300,
  learningRate: 0.08,
  depth: 6,
  l2: 5,
  earlyStoppingRounds: 25,
} as const

/** The same snapshot and seed give the same model. */
export async function fitModel(snapshot: Snapshot, options: FitOptions): Promise<Model> {
  const today = snapshot.until.getTime() / dayMs
  const alike = alikeGraph(snapshot.wares)
  await options.tell('learnt what is alike')
  const fitted = (day: number) => fitGraphs(beforeDay(snapshot, day), alike, options)

  const first = await fitted(today - 2 * week)
  await options.tell('learnt candidates until two weeks ago')
  const told = { ...snapshot, items: first.items }
  const lessons = casesWithin(told, { from: today - 2 * week, to: today - week, most: learningCases })
  const forest = lessons.length < fewestCases ? undefined : await learntRanker(first, lessons, options)

  const second = await fitted(today - week)
  await options.tell('learnt candidates until a week ago')
  const asked = casesWithin(told, { from: today - week, to: today, most: measuredCases })
  const metrics = measured(second, asked, forest && rankerOf(forest))
  const wins = metrics.ranker !== null && metrics.ranker.ndcg10 > metrics.candidates.ndcg10

  const last = await fitted(today)
  await options.tell('learnt candidates until now')
  return { ...last, ranker: wins ? forest : undefined, metrics }
}

const beforeDay = (snapshot: Snapshot, day: number): Snapshot => ({
  ...snapshot,
  until: new Date(day * dayMs),
  buyers: snapshot.buyers.map((steps) => steps.filter((it) => it.day < day)),
})

interface Lesson {
  candidates: Candidates
  features: Features
  labels: number[]
}

/** Makes lessons of cases, as a serving model would see them. */
interface School {
  model: Model
  propose: Proposer
  describe: Describer
}

const schoolOf = (model: Model): School => ({
  model,
  propose: proposerOf(model),
  describe: describerOf(model),
})

async function learntRanker(
  model: Model,
  cases: readonly Case[],
  { seed, threads, tell }: FitOptions,
): Promise<TreeModel | undefined> {
  const school = schoolOf(model)
  const lessons = cases.map((it) => lessonOf(school, it)).filter((it) => it.labels.some((label) => label > 0))
  const learnt = Math.floor(lessons.length * (1 - heldOutShare))
  if (learnt < fewestCases / 2) return undefined
  const { model: forest, errors } = trainTrees(
    trainData(lessons.slice(0, learnt)),
    { ...trees, seed, threads },
    { validation: trainData(lessons.slice(learnt)) },
  )
  await tell(`learnt a ranker of ${errors.length} trees from ${learnt} visits`)
  return forest
}

function lessonOf({ model, propose, describe }: School, { inquiry, grades }: Case): Lesson {
  const out = unwelcome(model, inquiry)
  const candidates = propose(inquiry, { limit: candidatesPerCase, out })
  return {
    candidates,
    features: describe(inquiry, candidates),
    labels: Array.from(candidates.items, (item) => grades.get(item) ?? 0),
  }
}

function trainData(lessons: readonly Lesson[]): TrainData {
  const rows = lessons.reduce((sum, it) => sum + it.labels.length, 0)
  const floats = featureNames.map(() => new Float32Array(rows))
  const labels = new Float64Array(rows)
  const queries = new Int32Array(lessons.length + 1).fill(rows)
  let from = 0
  lessons.forEach((lesson, query) => {
    queries[query] = from
    lesson.features.forEach((column, at) => floats[at]!.set(column, from))
    labels.set(lesson.labels, from)
    from += lesson.labels.length
  })
  return { columns: { rows, floats, categories: [] }, labels, queries, floatNames: [...featureNames] }
}

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
  const mean = (figures: Figures): Figures => ({
    ndcg10: figures.ndcg10 / Math.max(1, cases.length),
    hit10: figures.hit10 / Math.max(1, cases.length),
    recall30: figures.recall30 / Math.max(1, cases.length),
  })
  return {
    cases: cases.length,
    ranker: ranker ? mean(sums.ranker) : null,
    candidates: mean(sums.candidates),
    popularity: mean(sums.popularity),
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
