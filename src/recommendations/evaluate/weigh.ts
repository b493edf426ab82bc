// Finds the weights of a blend, then tries the neighbours of every part's parameters inside the blend: what is
// best alone is not always best together.

import { addScore, bestOf, boardFor, clearBoard, type Retriever } from '../ml/retrieval/board.ts'
import { figuresOf, type Guard } from './asking.ts'
import type { Family, Params } from './families.ts'
import { LIST_LENGTH, type Trial } from './trial.ts'

export interface Found {
  family: Family
  params: Params
  retriever: Retriever
  score: number
  /** What one more try of this family costs. */
  seconds: number
  /** What asking it one case costs. */
  askSeconds: number
}

export interface Weighed {
  family: Family
  params: Params
  weight: number
  seconds: number
  askSeconds: number
  retriever: Retriever
  pool: Pool
}

export interface Pool {
  ids: Int32Array[]
  scores: Float64Array[]
}

const POOL_LENGTH = 100
const FIRST_WEIGHTS = [0.1, 0.4, 1.5]
const WEIGHTS = [0.03, 0.06, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.1, 1.5, 2.2, 3.5, 6]
const MAX_PARTS = 5
/** A further model must earn its keep: less than this gain is noise of the slice. */
const MIN_GAIN = 1.002
const MIN_STEP_GAIN = 1.0005

/** Adds models to the best one as long as the slice gains, and settles their weights; the others keep weight 0. */
export function weighed(trial: Trial, found: Found[], guard: Guard): Weighed[] {
  const parts: Weighed[] = found
    .toSorted((a, b) => b.score - a.score)
    .map(({ family, params, retriever, seconds, askSeconds }, at) => {
      return {
        family,
        params,
        retriever,
        seconds,
        askSeconds,
        weight: at === 0 ? 1 : 0,
        pool: pooled(trial, retriever, guard),
      }
    })
  let best = blendScore(trial, parts)
  while (parts.filter(({ weight }) => weight > 0).length < MAX_PARTS) {
    const tries = parts
      .filter(({ weight }) => weight === 0)
      .flatMap((part) =>
        FIRST_WEIGHTS.map((weight) => ({ part, weight, score: scoreWith(trial, parts, part, weight) })),
      )
    const [winner] = tries.toSorted((a, b) => b.score - a.score)
    if (!winner || winner.score < best * MIN_GAIN) break
    winner.part.weight = winner.weight
    best = settled(trial, parts, winner.score)
  }
  return parts
}

/** Moves the weight of every part but the first up or down while the slice gains. */
function settled(trial: Trial, parts: Weighed[], score: number): number {
  let best = score
  for (const part of parts.slice(1)) {
    if (part.weight === 0) continue
    for (const step of [1, -1]) {
      for (;;) {
        const weight = WEIGHTS[WEIGHTS.indexOf(part.weight) + step]
        if (weight === undefined) break
        const next = scoreWith(trial, parts, part, weight)
        if (next <= best) break
        best = next
        part.weight = weight
      }
    }
  }
  return best
}

function scoreWith(trial: Trial, parts: Weighed[], part: Weighed, weight: number): number {
  const held = part.weight
  part.weight = weight
  const score = blendScore(trial, parts)
  part.weight = held
  return score
}

export interface Refining {
  trial: Trial
  guard: Guard
  fitted: (family: Family, params: Params) => Promise<Retriever>
  elapsed: () => number
  until: number
  tell: (line: string) => void
}

/** Moves parameters inside the blend while the slice improves and time remains. */
export async function refined(parts: Weighed[], refining: Refining): Promise<void> {
  const { trial, guard, elapsed, until, tell } = refining
  const used = parts.filter(({ weight }) => weight > 0)
  let best = blendScore(trial, used)
  for (let moved = true; moved;) {
    moved = false
    for (const part of used.toSorted((a, b) => a.seconds - b.seconds)) {
      for (const [axis, values] of Object.entries(part.family.axes)) {
        for (const step of [1, -1]) {
          const value = values[values.indexOf(part.params[axis]!) + step]
          if (value === undefined) continue
          if (elapsed() + part.seconds > until) break
          const held = { params: part.params, pool: part.pool, retriever: part.retriever }
          part.params = { ...part.params, [axis]: value }
          part.retriever = await refining.fitted(part.family, part.params)
          part.pool = pooled(trial, part.retriever, guard)
          const score = blendScore(trial, used)
          if (score > best * MIN_STEP_GAIN) {
            tell(`blend gains by ${part.family.kind} ${axis}=${value}: ${score.toFixed(5)}`)
            best = score
            moved = true
            break
          }
          Object.assign(part, held)
        }
      }
    }
    if (moved) best = settled(trial, used, best)
  }
}

/** Takes parts out again that the moves of the others have made needless: each costs time in every request. */
export function dropNeedless(trial: Trial, parts: Weighed[]): void {
  let best = blendScore(trial, parts)
  for (const part of parts.toReversed()) {
    if (part.weight === 0 || parts.filter(({ weight }) => weight > 0).length === 1) continue
    const without = scoreWith(trial, parts, part, 0)
    if (without * MIN_GAIN < best) continue
    part.weight = 0
    best = without
  }
}

/** Takes out what the slice misses least, until fitting the rest again and asking it every case fits the time. */
export function dropDear(
  trial: Trial,
  parts: Weighed[],
  { seconds, cases }: { seconds: number; cases: number },
): void {
  const used = () => parts.filter(({ weight }) => weight > 0)
  const fits = trial.slice.fit === trial.fit ? 0 : 1
  const cost = () => used().reduce((sum, part) => sum + fits * part.seconds + cases * part.askSeconds, 0)
  while (used().length > 1 && cost() > seconds) {
    const [least] = used()
      .map((part) => ({ part, score: scoreWith(trial, parts, part, 0) }))
      .toSorted((a, b) => b.score - a.score)
    least!.part.weight = 0
  }
}

/** A model's best of every case on the common scale, so that weights can be tried without asking again. */
function pooled(trial: Trial, retriever: Retriever, guard: Guard): Pool {
  const board = boardFor(trial.items)
  const pool: Pool = { ids: [], scores: [] }
  for (const { history } of trial.slice.cases) {
    guard.set(history)
    retriever(history, board)
    const { ids, scores } = bestOf(board, POOL_LENGTH, guard.skip)
    clearBoard(board)
    const top = scores[0] ?? 0
    pool.ids.push(top > 0 ? ids : new Int32Array())
    pool.scores.push(top > 0 ? scores.map((score) => score / top) : new Float64Array())
  }
  return pool
}

function blendScore(trial: Trial, parts: Weighed[]): number {
  const board = boardFor(trial.items)
  const used = parts.filter(({ weight }) => weight > 0)
  const sums = trial.measures.map(() => 0)
  trial.slice.cases.forEach(({ relevant }, row) => {
    for (const { pool, weight } of used) {
      const ids = pool.ids[row]!
      const scores = pool.scores[row]!
      for (let at = 0; at < ids.length; at++) addScore(board, ids[at]!, weight * scores[at]!)
    }
    const list = bestOf(board, LIST_LENGTH).ids
    clearBoard(board)
    figuresOf(trial.measures, list, relevant).forEach((figure, at) => (sums[at]! += figure))
  })
  return overall(sums.map((sum) => sum / Math.max(1, trial.slice.cases.length)))
}

/** One figure for all measures: their geometric mean, so that each counts by its relative change. */
export const overall = (means: number[]): number =>
  means.reduce((product, mean) => product * Math.max(mean, 1e-9), 1) ** (1 / means.length)
