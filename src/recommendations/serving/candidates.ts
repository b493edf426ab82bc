// Candidate generation: several sources propose items, and a weighted blend chooses among them.

import { allHistory, type Recency } from '../../ml/retrieval/neighbours.ts'
import { clearBoard, newScoreBoard } from '../../ml/retrieval/score-board.ts'
import { familyOf, graphOf, recency } from '../../ml/selection/families.ts'
import { leadersOf } from '../../ml/retrieval/popularity.ts'
import { addDue, type Rhythm } from '../../ml/retrieval/repeat.ts'
import type { Csr } from '../../ml/retrieval/sparse.ts'
import { atOnce, type Steps } from '../../base/steps.ts'
import { type BlendWeights, focusOf, type ModelQuery, mostOnPage, trailOf, visitOf } from './model-query.ts'
import { type Learned, type LearnedSources, type LearnerName, learnerNames } from '../models/sources.ts'
import type { Model } from '../models/model.ts'
import { isUsableOn, externalSource } from '../models/external-model.ts'
import { CandidateList } from './candidate-list.ts'
import { KeptScores } from './kept-scores.ts'

/** In the order of their feature columns. */
export const sourceNames = [
  'ease_history',
  'ease_focus',
  'walk_history',
  'rules_focus',
  'baskets_focus',
  'alike_focus',
  'repeat',
  'popular',
  'external',
  'sessions_visit',
  'factors_history',
  'again',
  'companions_focus',
  'alike_history',
] as const
export type SourceName = (typeof sourceNames)[number]
const columnOf = Object.fromEntries(sourceNames.map((name, at) => [name, at])) as Record<SourceName, number>

/** Where training has not chosen others. */
// oxfmt-ignore
export const defaultWeights: BlendWeights = {
  //           ease_h ease_f walk_h rules_f baskets_f alike_f repeat popular external sessions factors again companions alike_h
  main_page:  [1,     0.3,   0.6,   0.3,    0.2,      0.1,    1.2,   0.15,   1,       0.3,     0.2,    0,    0,         0],
  offer_page: [0.4,   0.8,   0.2,   1,      0.3,      0.3,    0,     0.05,   0.8,     0.3,     0.1,    0,    0.1,       0],
  cart_page:  [0.3,   0.8,   0.2,   0.5,    1,        0.1,    0.3,   0.05,   0.8,     0.3,     0.1,    0,    0.4,       0],
}

/** Of an unknown buyer only the place, the device and the application are known. */
const weightsOfUnknown = sourceNames.map((name) => Number(name === 'popular'))

export interface Candidates {
  /** The best of the blend first. */
  items: Int32Array
  /** Of as many candidates as were wanted with scores. */
  blend: Float64Array
  /** By source, then by candidate, of as many: the score relative to the source's best. */
  scores: Float32Array[]
  focus: readonly number[]
}

/**
 * This many candidates are ranked, in training and in serving: ranks of a longer list would be features of another
 * kind.
 */
export const rankedCandidates = 100

/** The candidates that the ranker orders. */
export const rankedOf = ({ items, blend, scores, focus }: Candidates): Candidates => ({
  items: items.subarray(0, rankedCandidates),
  blend: blend.subarray(0, rankedCandidates),
  scores: scores.every((column) => column.length <= rankedCandidates)
    ? scores
    : scores.map((column) => column.subarray(0, rankedCandidates)),
  focus,
})

/**
 * From so many products on, factors take more time in a request than any other source, because they score every product:
 * pages that give them no weight do without them, in training and in serving.
 */
export const manyProducts = 10_000

export interface Wanted {
  limit: number
  /** How many of the best candidates need the scores of their sources; all when left out. */
  scored?: number
  /** Never proposed, and ignored when scores are scaled. */
  out: Iterable<number>
  /** Whether an item can be bought; called only for the best items, the best first. */
  isForSale?: (item: number) => boolean
  /** Whether later queries may bring the same array of the history, as is usual; otherwise nothing is kept for it. */
  isLasting?: boolean
}

export type Proposer = (query: ModelQuery, wanted: Wanted) => Candidates

/** `all`: a source is asked also on pages where it has no weight. */
type Asked = 'needed' | 'all'

/** Proposes candidates for one query at a time. It owns a candidate list, so threads must not share it. */
export const proposerOf = (model: Model, asked: Asked = 'needed'): Proposer =>
  atOnce(proposerInSteps(model, asked))

/** The same in steps, each of which takes some milliseconds for a large model. */
export function* proposerInSteps(model: Model, asked: Asked = 'needed'): Steps<Proposer> {
  const { learned, alike, companions, rhythm, items, trends, external } = model
  const candidateList = new CandidateList(items.count, sourceNames.length)
  yield
  const expected = model.expected ?? model.popularity
  const popular = rowOf(leadersOf(expected), expected)
  yield
  const learnedBy = yield* learnedSources(learned, items.count, candidateList)
  const addExternal = external && externalSource(external)
  const rowOfPlace = new Map(trends.places.map((place, row) => [place, row]))
  const near = (source: SourceName, graph: Csr, from: readonly number[], reach: Recency) =>
    candidateList.addNeighbours(columnOf[source], graph, from, reach)
  const categoryRows = categoriesOf(model)
  const addAgain = (trail: readonly number[], context: readonly number[]) => {
    for (let back = 0; back < Math.min(mostRepeated, trail.length); back++) {
      const item = trail[trail.length - 1 - back]!
      if (!context.includes(item)) candidateList.add(columnOf.again, item, againScore(back))
    }
  }
  const { regression, walk, rules, baskets, sessions, factors } = learnedBy
  const asksFactors = (layer: ModelQuery['layer']) =>
    asked === 'all' || items.count <= manyProducts || model.weights[layer][columnOf.factors_history]! > 0
  const pageFade = pageReach(learned)
  return (query, { limit, scored = limit, out, isForSale = () => true, isLasting = true }) => {
    // Cleared before use, not after: a query that failed halfway must not affect the next one.
    candidateList.clear()
    const { history, purchases } = query.profile
    const isKept = (given: readonly number[]) => isLasting && given === history
    const focus = focusOf(query)
    // Sources with few items come first: the work per source grows with the items added so far.
    addDue(rhythm, purchases, query.day, (item, amount) => candidateList.add(columnOf.repeat, item, amount))
    const trail = trailOf(query)
    addAgain(trail, query.context)
    if (query.context.length > 0)
      near('companions_focus', companions.weights, categoryRows(query.context), companionReach)
    near('alike_focus', alike, focus, alikeReach)
    baskets(columnOf.baskets_focus, focus)
    regression(columnOf.ease_focus, focus, { recency: pageFade })
    const visit = visitOf(query)
    rules(columnOf.rules_focus, visit)
    sessions(columnOf.sessions_visit, visit, { isLasting: isKept(visit) })
    const segments = [query.place ?? '', ...(query.platform ?? [])].flatMap((it) => rowOfPlace.get(it) ?? [])
    if (segments.length > 0) near('popular', trends.weights, segments, allHistory)
    else near('popular', popular, [0], allHistory)
    regression(columnOf.ease_history, trail)
    walk(columnOf.walk_history, trail)
    if (asksFactors(query.layer)) factors(columnOf.factors_history, trail, { isLasting: isKept(trail) })
    learnedBy.alike(columnOf.alike_history, trail)
    if (external && isUsableOn(external, query.day))
      addExternal!(externalTrail(query), candidateList, columnOf.external)

    candidateList.leaveOut(out)
    if (model.repeats === 'excluded') candidateList.leaveOut(history)
    const tops = sourceNames.map((_, source) => candidateList.topOf(source))
    const isKnown = history.length > 0 || query.context.length > 0
    const weights = isKnown ? model.weights[query.layer] : weightsOfUnknown
    weights.forEach((weight, source) => {
      if (weight > 0 && tops[source]! > 0) candidateList.addToBlend(source, weight / tops[source]!)
    })
    const best = candidateList.best(limit, isForSale)
    const scores = candidateList.sharesOf(best.ids.subarray(0, scored), tops)
    const blend = scored < best.scores.length ? best.scores.slice(0, scored) : best.scores
    return { items: best.ids, blend, scores, focus }
  }
}

export const alikeReach: Recency = { fade: 0.5, last: 10 }
export const companionReach: Recency = { fade: 0, last: 40 }

/** How a page is read by the regression that also reads histories. */
export const pageReach = ({ regression }: LearnedSources): Recency => ({
  fade: regression?.params['focusFade'] ?? 0,
  last: mostOnPage,
})

export const externalTrail = ({ context, profile }: ModelQuery): readonly number[] =>
  context.length > 0 ? context : profile.history

/** The rows of the categories of some items among the companions. */
export function categoriesOf({ companions, items }: Model): (context: readonly number[]) => number[] {
  const rowOf = new Map(Array.from(companions.categories, (id, row) => [id, row]))
  return (context) => [...new Set(context.flatMap((item) => rowOf.get(items.categories[item]!) ?? []))]
}

interface Scoring {
  /** In place of the usual one of the source. */
  recency?: Recency
  /** Whether later queries may bring the same array. */
  isLasting?: boolean
}

type LearnedSource = (column: number, history: readonly number[], scoring?: Scoring) => void

function* learnedSources(
  learned: LearnedSources,
  items: number,
  candidateList: CandidateList,
): Steps<Record<LearnerName, LearnedSource>> {
  const sources: Partial<Record<LearnerName, LearnedSource>> = {}
  for (const name of learnerNames) {
    sources[name] = learnedSource(learned[name], items, candidateList)
    yield
  }
  return sources as Record<LearnerName, LearnedSource>
}

/** Writes the scores of a learned source into a column; nothing for a source that training left out. */
function learnedSource(
  learned: Learned | undefined,
  items: number,
  candidateList: CandidateList,
): LearnedSource {
  if (!learned) return () => {}
  const { kind, params, tables } = learned
  const graph = graphOf(tables, items)
  const usual = recency(params)
  if (graph)
    return (column, history, { recency: reach = usual } = {}) =>
      candidateList.addNeighbours(column, graph, history, reach)
  const retriever = familyOf(kind)!.load(tables, params, items)
  const board = newScoreBoard(items)
  const kept = new KeptScores()
  return (column, history, { isLasting = false } = {}) => {
    clearBoard(board)
    if (!isLasting || !kept.restore(history, board)) {
      retriever(history, board)
      if (isLasting) kept.keep(history, board)
    }
    candidateList.addScores(column, board)
  }
}

/** Items and their weights as the only row of a graph. */
const rowOf = (items: Int32Array, weights: Float64Array): Csr => ({
  rows: 1,
  cols: weights.length,
  offsets: Int32Array.of(0, items.length),
  indices: items,
  values: Float32Array.from(items, (item) => weights[item]!),
})

/** How many of the latest items are proposed again, and how fast their score falls. */
const mostRepeated = 20
const repeatFade = 0.2
const againScore = (back: number): number => Math.exp(-repeatFade * back)

/** The score of an item that is proposed again. */
export const againShare = (trail: readonly number[], item: number): number =>
  againScore(trail.length - 1 - trail.lastIndexOf(item))

/** How long durable products that a buyer owns are not shown. */
const durableDays = 365
const leastRepeatShare = 0.15
const dueShare = 0.6

/** Whether few buyers buy an item twice. */
export const isDurable = (rhythm: Rhythm, item: number): boolean => rhythm.again[item]! < leastRepeatShare

/** Whether a buyer who bought an item some days ago does not need it again yet. Unknown items count as durable. */
export function isNotDueAgain(rhythm: Rhythm | undefined, item: number | undefined, days: number): boolean {
  if (days > durableDays) return false
  if (!rhythm || item === undefined || isDurable(rhythm, item)) return true
  return days < rhythm.gap[item]! * dueShare
}

/** Items that must not be shown: those of the page, and recent purchases that are not due again. */
export function excludedItems({ rhythm }: Model, { profile, context, day }: ModelQuery): Set<number> {
  const out = new Set(context)
  for (const { item, time } of profile.purchases) if (isNotDueAgain(rhythm, item, day - time)) out.add(item)
  return out
}
