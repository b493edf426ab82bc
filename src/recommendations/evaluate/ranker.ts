// The second stage: boosted trees put the blend's best candidates in a better order. Learnt on cases of the
// slice, and used only when it wins on cases that it did not learn from.

import { addScore, bestOf, boardFor, clearBoard, type Board, type Retriever } from '../ml/retrieval/board.ts'
import { createEvaluator } from '../ml/trees/apply-kernel.ts'
import { trainTrees, type TrainData } from '../ml/trees/train.ts'
import { popularity, touchesOf } from '../ml/retrieval/popularity.ts'
import { figuresOf, type Guard } from './asking.ts'
import type { Shelf } from './shelf.ts'
import { caseCount, LIST_LENGTH, type Case, type Trial } from './trial.ts'
import { overall } from './weigh.ts'

const CANDIDATES = 100
/** Cases whose wanted item is among the candidates; more teach little. */
const LEARNING_CASES = 12_000
const MAX_ASKED = 60_000
const HELD_OUT_EVERY = 5
/** After so many cases the pace of asking is known. */
const PACE_CASES = 300
/** How many standard errors the gain must exceed zero by, case by case, in the last measure. */
const SURE_ERRORS = 2
const TREES = {
  loss: 'QueryRMSE',
  iterations: 400,
  learningRate: 0.06,
  depth: 6,
  l2: 10,
  earlyStoppingRounds: 30,
} as const
/** Recent popularity halves within this share of the sequences. */
const RECENT_SHARE = 0.03

/** The models that propose, in a fixed order: their weights in the blend may be 0, their scores are features. */
export interface Sources {
  retrievers: Retriever[]
  weights: number[]
}

export interface Candidates {
  ids: Int32Array
  /** By feature, then by candidate. */
  features: Float32Array[]
}

export type Desk = (history: Int32Array) => Candidates

/** Proposes the blend's best with their features. The same for learning and for asking. */
export function candidateDesk(
  trial: Trial,
  shelf: Shelf,
  { sources, guard }: { sources: Sources; guard: Guard },
): Desk {
  const { items } = trial
  const retrievers = withLastItemAlone(sources.retrievers, trial)
  const boards = retrievers.map(() => boardFor(items))
  const blend = boardFor(items)
  const counts = Float32Array.from(shelf.counts, (count) => Math.log1p(count))
  const halfLife = Math.max(1, shelf.sequences.length * RECENT_SHARE)
  const recent = Float32Array.from(popularity(touchesOf(shelf.sequences), items, halfLife), Math.log1p)
  return (history) => {
    guard.set(history)
    const tops = boards.map((board, at) => {
      retrievers[at]!(history, board)
      return highest(board, guard)
    })
    sources.weights.forEach((weight, at) => {
      if (weight > 0 && tops[at]! > 0) addScaled(boards[at]!, weight / tops[at]!, blend)
    })
    const { ids, scores } = bestOf(blend, CANDIDATES, guard.skip)
    const features = boards.map((board, at) =>
      Float32Array.from(ids, (item) => (tops[at]! > 0 ? board.values[item]! / tops[at]! : 0)),
    )
    features.push(Float32Array.from(scores))
    features.push(Float32Array.from(ids, (_, at) => at))
    features.push(Float32Array.from(ids, (item) => counts[item]!))
    features.push(Float32Array.from(ids, (item) => recent[item]! - counts[item]!))
    features.push(new Float32Array(ids.length).fill(Math.min(50, history.length)))
    if (trial.repeats === 'allowed') {
      features.push(Float32Array.from(ids, (item) => stepsBack(history, item)))
      features.push(Float32Array.from(ids, (item) => timesIn(history, item)))
    }
    for (const board of boards) clearBoard(board)
    clearBoard(blend)
    return { ids, features }
  }
}

function withLastItemAlone(retrievers: Retriever[], { order }: Trial): Retriever[] {
  if (order === 'none') return retrievers
  const alone = retrievers.map((retriever): Retriever => (history, board) => {
    if (history.length > 0) retriever([history[history.length - 1]!], board)
  })
  return [...retrievers, ...alone]
}

function highest(board: Board, guard: Guard): number {
  let top = 0
  for (let at = 0; at < board.size; at++) {
    const item = board.touched[at]!
    if (board.values[item]! > top && !guard.skip(item)) top = board.values[item]!
  }
  return top
}

function addScaled(from: Board, scale: number, to: Board): void {
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
  /** What the blend and the ranker reached on the cases held out, in the trial's measures. */
  heldOut: { blend: number[]; ranker: number[] }
}

interface Learning {
  desk: Desk
  seed: number
  threads: number
  elapsed: () => number
  until: number
  /** How long asking every test case may take. */
  secondsToAsk: number
  tell: (line: string) => void
}

/** Learns a ranker, or gives none when it does not win on the cases held out or time is short. */
export function learntRanker(trial: Trial, learning: Learning): Ranker | undefined {
  const { desk, elapsed, until, tell, seed, threads } = learning
  const cases = caseCount(trial)
  const learn: Lesson[] = []
  const heldOut: Lesson[] = []
  const asked = trial.slice.all.slice(0, MAX_ASKED)
  const began = elapsed()
  for (const [at, lesson] of asked.entries()) {
    if (elapsed() > began + (until - began) / 2) break
    const candidates = desk(lesson.history)
    if (at % HELD_OUT_EVERY === 0) heldOut.push({ lesson, candidates })
    else if (lesson.relevant.some((item) => candidates.ids.includes(item))) learn.push({ lesson, candidates })
    if (learn.length >= LEARNING_CASES) break
    if (at === PACE_CASES && ((elapsed() - began) / at) * cases > learning.secondsToAsk) {
      tell('no ranker: asking it every test case would take too long')
      return undefined
    }
  }
  const known = heldOut.filter(({ lesson, candidates }) =>
    lesson.relevant.some((item) => candidates.ids.includes(item)),
  )
  if (learn.length < 200 || known.length < 50) return undefined
  const { model, errors } = trainTrees(
    trainData(learn),
    { ...TREES, seed, threads },
    { validation: trainData(known) },
  )
  const evaluator = createEvaluator(model)
  const order = ({ ids, features }: Candidates): Int32Array => {
    const values = evaluator.values({ rows: ids.length, floats: features, categories: [] })
    const places = Int32Array.from(ids, (_, at) => at)
    return places.sort((a, b) => values[b]! - values[a]! || a - b).map((place) => ids[place]!)
  }
  const before = measured(trial, heldOut, ({ ids }) => ids)
  const after = measured(trial, heldOut, order)
  const [blend, ranker] = [meansOf(before), meansOf(after)]
  tell(
    `ranker of ${errors.length} trees on ${learn.length} cases: ${shown(trial, ranker)}, its candidates ${shown(trial, blend)}`,
  )
  const wins = overall(ranker) > overall(blend) && surelyBetter(before, after)
  return wins ? { order, heldOut: { blend, ranker } } : undefined
}

interface Lesson {
  lesson: Case
  candidates: Candidates
}

function trainData(lessons: Lesson[]): TrainData {
  const rows = lessons.reduce((sum, { candidates }) => sum + candidates.ids.length, 0)
  const floats = lessons[0]!.candidates.features.map(() => new Float32Array(rows))
  const labels = new Float64Array(rows)
  const queries = new Int32Array(lessons.length + 1).fill(rows)
  let from = 0
  lessons.forEach(({ lesson, candidates }, query) => {
    queries[query] = from
    const wanted = new Set(lesson.relevant)
    candidates.features.forEach((feature, at) => floats[at]!.set(feature, from))
    candidates.ids.forEach((item, at) => (labels[from + at] = wanted.has(item) ? 1 : 0))
    from += candidates.ids.length
  })
  return { columns: { rows, floats, categories: [] }, labels, queries }
}

/** Every case's figures under an order of its candidates. */
function measured(
  trial: Trial,
  lessons: Lesson[],
  order: (candidates: Candidates) => Int32Array,
): number[][] {
  return lessons.map(({ lesson, candidates }) =>
    figuresOf(trial.measures, order(candidates).subarray(0, LIST_LENGTH), lesson.relevant),
  )
}

function meansOf(rows: number[][]): number[] {
  return rows[0]!.map((_, at) => rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length)
}

function surelyBetter(before: number[][], after: number[][]): boolean {
  const gains = after.map((row, at) => row.at(-1)! - before[at]!.at(-1)!)
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length
  return mean > SURE_ERRORS * Math.sqrt(variance / gains.length)
}

const shown = (trial: Trial, means: number[]): string =>
  trial.measures.map(({ name }, at) => `${name} ${means[at]!.toFixed(4)}`).join(' ')
