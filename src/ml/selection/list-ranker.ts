// The second stage: boosted trees put the blend's best candidates in a better order. Trained on cases of the
// slice, and used only when it wins on held-out cases.

import {
  addScore,
  bestOf,
  newScoreBoard,
  clearBoard,
  type ScoreBoard,
  type Retriever,
} from '../retrieval/score-board.ts'
import { createEvaluator } from '../trees/apply-kernel.ts'
import { trainTrees, type TrainData } from '../trees/train.ts'
import { candidateTrees } from '../trees/train-options.ts'
import { popularity, touchesOf } from '../retrieval/popularity.ts'
import { figuresOf, type Exclusions } from './case-evaluator.ts'
import type { TrainingSet } from './training-set.ts'
import { caseCount, listLength, type Case, type ListTask } from './list-task.ts'
import { overall } from './blend-weights.ts'

const candidateCount = 100
/** Cases whose relevant item is among the candidates; more improve little. */
const learningCases = 12_000
const maxAsked = 60_000
const heldOutEvery = 5
/** After this many cases the scoring speed is known. */
const paceCases = 300
/** How many standard errors the gain must exceed zero by, case by case. */
const sureErrors = 2
/** Recent popularity halves within this share of the sequences. */
const recentShare = 0.03

/** The models that propose, in a fixed order: their weights in the blend may be 0, their scores are features. */
export interface Sources {
  retrievers: Retriever[]
  weights: number[]
}

/** The rest of the time is for the features and the trees. */
const sourcesShare = 0.75

/** A source, and its scoring time of one case. */
export interface TimedSource {
  weight: number
  secondsPerCase: number
}

/**
 * The sources that can be asked for every case in the given time. Those of the blend always are; of the others the dearest
 * are left out first, because a ranker with fewer features is better than none.
 */
export function affordableSources<Source extends TimedSource>(
  sources: readonly Source[],
  { cases, seconds }: { cases: number; seconds: number },
): Source[] {
  const costOf = (some: readonly Source[]) => some.reduce((sum, it) => sum + it.secondsPerCase, 0) * cases
  let kept = [...sources]
  const optional = sources
    .filter((it) => it.weight === 0)
    .toSorted((a, b) => b.secondsPerCase - a.secondsPerCase)
  for (const dearest of optional) {
    if (costOf(kept) <= seconds * sourcesShare) break
    kept = kept.filter((it) => it !== dearest)
  }
  return kept
}

export interface Candidates {
  ids: Int32Array
  /** By feature, then by candidate. */
  features: Float32Array[]
}

export type CaseProposer = (history: Int32Array) => Candidates

/** Proposes the blend's best items with their features, the same way for training and for scoring. */
export function caseProposerFor(
  listTask: ListTask,
  trainingSet: TrainingSet,
  { sources, exclusions }: { sources: Sources; exclusions: Exclusions },
): CaseProposer {
  const { items } = listTask
  const retrievers = withLastItemAlone(sources.retrievers, listTask)
  const boards = retrievers.map(() => newScoreBoard(items))
  const blend = newScoreBoard(items)
  const counts = Float32Array.from(trainingSet.counts, (count) => Math.log1p(count))
  // In no order nothing is recent, and the feature is 0.
  const halfLife =
    listTask.rows === 'oldest_first' ? Math.max(1, trainingSet.sequences.length * recentShare) : 0
  const recent = Float32Array.from(popularity(touchesOf(trainingSet.sequences), items, halfLife), Math.log1p)
  return (history) => {
    exclusions.set(history)
    const tops = boards.map((board, at) => {
      retrievers[at]!(history, board)
      return highest(board, exclusions)
    })
    sources.weights.forEach((weight, at) => {
      if (weight > 0 && tops[at]! > 0) addScaled(boards[at]!, weight / tops[at]!, blend)
    })
    const { ids, scores } = bestOf(blend, candidateCount, exclusions.skip)
    const features = boards.map((board, at) =>
      Float32Array.from(ids, (item) => (tops[at]! > 0 ? board.values[item]! / tops[at]! : 0)),
    )
    features.push(Float32Array.from(scores))
    features.push(Float32Array.from(ids, (_, at) => at))
    features.push(Float32Array.from(ids, (item) => counts[item]!))
    features.push(Float32Array.from(ids, (item) => recent[item]! - counts[item]!))
    features.push(new Float32Array(ids.length).fill(Math.min(50, history.length)))
    if (listTask.repeats === 'allowed') {
      features.push(Float32Array.from(ids, (item) => stepsBack(history, item)))
      features.push(Float32Array.from(ids, (item) => timesIn(history, item)))
    }
    for (const board of boards) clearBoard(board)
    clearBoard(blend)
    return { ids, features }
  }
}

function withLastItemAlone(retrievers: Retriever[], { order }: ListTask): Retriever[] {
  if (order === 'none') return retrievers
  const alone = retrievers.map((retriever): Retriever => (history, board) => {
    if (history.length > 0) retriever([history[history.length - 1]!], board)
  })
  return [...retrievers, ...alone]
}

function highest(board: ScoreBoard, exclusions: Exclusions): number {
  let top = 0
  for (let at = 0; at < board.size; at++) {
    const item = board.touched[at]!
    if (board.values[item]! > top && !exclusions.skip(item)) top = board.values[item]!
  }
  return top
}

function addScaled(from: ScoreBoard, scale: number, to: ScoreBoard): void {
  for (let at = 0; at < from.size; at++)
    addScore(to, from.touched[at]!, from.values[from.touched[at]!]! * scale)
}

function stepsBack(history: Int32Array, item: number): number {
  const at = history.lastIndexOf(item)
  return at < 0 ? 99 : history.length - 1 - at
}

const timesIn = (history: Int32Array, item: number): number =>
  history.reduce((times, other) => times + (other === item ? 1 : 0), 0)

export interface Ranker {
  order: (candidates: Candidates) => Int32Array
  /** The means of the blend and of the ranker on the held-out cases, by measure. */
  heldOut: { blend: number[]; ranker: number[] }
}

interface RankerTraining {
  propose: CaseProposer
  seed: number
  threads: number
  elapsed: () => number
  until: number
  /** How long scoring all test cases may take. */
  secondsForCases: number
  report: (line: string) => void
}

/** Trains a ranker; undefined when it does not win on the held-out cases or time is short. */
export function trainListRanker(listTask: ListTask, learning: RankerTraining): Ranker | undefined {
  const { propose, elapsed, until, report, seed, threads } = learning
  const cases = caseCount(listTask)
  const learn: RankerExample[] = []
  const heldOut: RankerExample[] = []
  const sampled = listTask.slice.all.slice(0, maxAsked)
  const began = elapsed()
  for (const [at, testCase] of sampled.entries()) {
    if (elapsed() > began + (until - began) / 2) break
    const candidates = propose(testCase.history)
    // Cases of one basket share their items, so they are on one side.
    if ((testCase.group ?? at) % heldOutEvery === 0) heldOut.push({ testCase, candidates })
    else if (testCase.relevant.some((item) => candidates.ids.includes(item)))
      learn.push({ testCase, candidates })
    if (learn.length >= learningCases) break
    if (at === paceCases && ((elapsed() - began) / at) * cases > learning.secondsForCases) {
      report('no ranker: asking it every test case would take too long')
      return undefined
    }
  }
  const known = heldOut.filter(({ testCase, candidates }) =>
    testCase.relevant.some((item) => candidates.ids.includes(item)),
  )
  if (learn.length < 200 || known.length < 50) return undefined
  const { model, errors } = trainTrees(
    trainData(learn),
    { ...candidateTrees, seed, threads },
    { validation: trainData(known) },
  )
  const evaluator = createEvaluator(model)
  const order = ({ ids, features }: Candidates): Int32Array => {
    const values = evaluator.values({ rows: ids.length, floats: features, categories: [] })
    const places = Int32Array.from(ids, (_, at) => at)
    return places.sort((a, b) => values[b]! - values[a]! || a - b).map((place) => ids[place]!)
  }
  const before = measured(listTask, heldOut, ({ ids }) => ids)
  const after = measured(listTask, heldOut, order)
  const [blend, ranker] = [meansOf(before), meansOf(after)]
  report(
    `ranker of ${errors.length} trees on ${learn.length} cases: ${shown(listTask, ranker)}, its candidates ${shown(listTask, blend)}`,
  )
  const wins = overall(ranker) > overall(blend) && surelyBetter(before, after)
  return wins ? { order, heldOut: { blend, ranker } } : undefined
}

interface RankerExample {
  testCase: Case
  candidates: Candidates
}

function trainData(examples: RankerExample[]): TrainData {
  const rows = examples.reduce((sum, { candidates }) => sum + candidates.ids.length, 0)
  const floats = examples[0]!.candidates.features.map(() => new Float32Array(rows))
  const labels = new Float64Array(rows)
  const queries = new Int32Array(examples.length + 1).fill(rows)
  let from = 0
  examples.forEach(({ testCase, candidates }, query) => {
    queries[query] = from
    const wanted = new Set(testCase.relevant)
    candidates.features.forEach((feature, at) => floats[at]!.set(feature, from))
    candidates.ids.forEach((item, at) => (labels[from + at] = wanted.has(item) ? 1 : 0))
    from += candidates.ids.length
  })
  return { columns: { rows, floats, categories: [] }, labels, queries }
}

/** Every case's figures under an order of its candidates. */
function measured(
  listTask: ListTask,
  examples: RankerExample[],
  order: (candidates: Candidates) => Int32Array,
): number[][] {
  return examples.map(({ testCase, candidates }) =>
    figuresOf(listTask.measures, order(candidates).subarray(0, listLength), testCase.relevant),
  )
}

function meansOf(rows: number[][]): number[] {
  return rows[0]!.map((_, at) => rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length)
}

/** Whether the gain over all measures, each relative to its mean, is more than chance, case by case. */
function surelyBetter(before: number[][], after: number[][]): boolean {
  const means = meansOf(before)
  const gains = after.map((row, at) =>
    row.reduce((sum, figure, measure) => {
      const mean = means[measure]!
      return mean > 0 ? sum + (figure - before[at]![measure]!) / mean : sum
    }, 0),
  )
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length
  return mean > sureErrors * Math.sqrt(variance / gains.length)
}

const shown = (listTask: ListTask, means: number[]): string =>
  listTask.measures.map(({ name }, at) => `${name} ${means[at]!.toFixed(4)}`).join(' ')
