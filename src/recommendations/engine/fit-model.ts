// From a snapshot to a model: candidates learnt at three instants, a ranker on the visits between the first two, figures
// on the visits between the last two, and everything learnt once more until now. What serves meanwhile is asked the same
// questions, as far as it has not learnt from them.

import type { TreeModel } from '../ml/trees/model.ts'
import { trainTrees } from '../ml/trees/train.ts'
import { type Case, casesWithin } from './cases.ts'
import { alikeGraph, fitGraphs, type FitOptions, type Snapshot } from './fit-graphs.ts'
import { itemsOf } from './items.ts'
import { lessonOf, schoolOf, trainData } from './lessons.ts'
import { contest, measured } from './measure.ts'
import type { Contest, Figures, Metrics, Model } from './model.ts'
import { movedTo } from './outside.ts'
import { rankerOf } from './ranker.ts'

const week = 7
const dayMs = 86_400_000
const learningCases = 4_000
const measuredCases = 3_000
/** Fewer visits than this teach a ranker nothing. */
const fewestCases = 200
const heldOutShare = 0.2
const trees = {
  loss: 'YetiRank',
  iterations: 300,
  learningRate: 0.12,
  depth: 6,
  l2: 5,
  earlyStoppingRounds: 20,
} as const
const inLongStrides = { ...trees, learningRate: 0.2, earlyStoppingRounds: 10 } as const

/** The model that serves, and whether its ranker stays whatever we learn ourselves, because somebody brought it in. */
export interface Standing {
  model: Model
  keepsRanker: boolean
}

export interface Fitted {
  model: Model
  /** Null when nothing serves. */
  contest: Contest | null
  /** How good the ranker would be that we learnt, where another one is kept. */
  spareRanker: Figures | null
}

/** The same snapshot, seed and standing model give the same model. */
export async function fitModel(
  snapshot: Snapshot,
  options: FitOptions,
  standing?: Standing,
): Promise<Fitted> {
  const today = snapshot.until.getTime() / dayMs
  const fitted = await fitter(snapshot, options, standing?.model)
  await options.tell('learnt what is alike')

  const first = await fitted(today - 2 * week)
  await options.tell('learnt candidates until two weeks ago')
  const told = { ...snapshot, items: first.items }
  const lessons = casesWithin(told, { from: today - 2 * week, to: today - week, most: learningCases })
  const forest = lessons.length < fewestCases ? undefined : await learntRanker(first, lessons, options)

  const second = await fitted(today - week)
  await options.tell('learnt candidates until a week ago')
  const asked = casesWithin(told, { from: today - week, to: today, most: measuredCases })
  const { ranker, metrics, spareRanker } = chosenRanker(second, asked, { forest, standing })

  const from = Math.max(today - week, (standing?.model.until.getTime() ?? 0) / dayMs)
  const since = standing ? casesWithin(told, { from, to: today, most: measuredCases }) : []
  const level = from > today - week && since.length > 0 ? await fitted(from) : second
  const outcome = standing ? contest({ ...level, ranker }, standing.model, since) : null

  const last = await fitted(today)
  await options.tell('learnt candidates until now')
  return { model: { ...last, ranker, metrics }, contest: outcome, spareRanker }
}

/** Learns all but the ranker from what was done before a day; what was brought in from outside goes along. */
export async function fitter(
  snapshot: Snapshot,
  options: Pick<FitOptions, 'threads'>,
  live: Model | undefined,
): Promise<(day: number) => Promise<Model>> {
  const alike = alikeGraph(snapshot.wares)
  const outside = live?.outside && movedTo(live.outside, live.items, itemsOf(snapshot.wares))
  return async (day) => ({ ...(await fitGraphs(beforeDay(snapshot, day), alike, options)), outside })
}

const beforeDay = (snapshot: Snapshot, day: number): Snapshot => ({
  ...snapshot,
  until: new Date(day * dayMs),
  buyers: snapshot.buyers.map((steps) => steps.filter((it) => it.day < day)),
})

/** One that somebody brought in stays; ours serves when it orders better than the candidates stand by themselves. */
function chosenRanker(
  model: Model,
  asked: readonly Case[],
  { forest, standing }: { forest: TreeModel | undefined; standing: Standing | undefined },
): { ranker: TreeModel | undefined; metrics: Metrics; spareRanker: Figures | null } {
  const ours = measured(model, asked, forest && rankerOf(forest))
  const kept = standing?.keepsRanker ? standing.model.ranker : undefined
  if (kept) return { ranker: kept, metrics: measured(model, asked, rankerOf(kept)), spareRanker: ours.ranker }
  const wins = ours.ranker !== null && ours.ranker.ndcg10 > ours.candidates.ndcg10
  return { ranker: wins ? forest : undefined, metrics: ours, spareRanker: null }
}

async function learntRanker(
  model: Model,
  cases: readonly Case[],
  { seed, threads, strides, tell }: FitOptions,
): Promise<TreeModel | undefined> {
  const school = schoolOf(model)
  const lessons = cases.map((it) => lessonOf(school, it)).filter((it) => it.labels.some((label) => label > 0))
  const learnt = Math.floor(lessons.length * (1 - heldOutShare))
  if (learnt < fewestCases / 2) return undefined
  const { model: forest, errors } = trainTrees(
    trainData(lessons.slice(0, learnt)),
    { ...(strides === 'long' ? inLongStrides : trees), seed, threads },
    { validation: trainData(lessons.slice(learnt)) },
  )
  await tell(`learnt a ranker of ${errors.length} trees from ${learnt} visits`)
  return forest
}
