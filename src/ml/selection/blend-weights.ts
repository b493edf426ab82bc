// Finds the weights of a blend, then tries the neighbours of every part's parameters inside the blend: what is
// best alone is not always best together.

import { addScore, bestOf, newScoreBoard, clearBoard, type Retriever } from '../retrieval/score-board.ts'
import { figuresOf, type Exclusions } from './case-evaluator.ts'
import type { Family, Params, Tables } from './families.ts'
import { listLength, type ListTask } from './list-task.ts'

export interface TriedModel {
  family: Family
  params: Params
  tables: Tables
  retriever: Retriever
  score: number
  /** Time of one more trial of this family, and of its fit alone. */
  seconds: number
  fitSeconds: number
  /** Scoring time of one case. */
  secondsPerCase: number
}

export interface BlendPart {
  family: Family
  params: Params
  weight: number
  seconds: number
  secondsPerCase: number
  retriever: Retriever
  pool: Pool
}

export interface Pool {
  ids: Int32Array[]
  scores: Float64Array[]
}

const poolLength = 100
const firstWeights = [0.1, 0.4, 1.5]
const weights = [0.03, 0.06, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.1, 1.5, 2.2, 3.5, 6]
const maxParts = 5
/** Least relative gain for adding a model; smaller gains are noise of the slice. */
const minGain = 1.002
const minStepGain = 1.0005

/** Adds models to the best one as long as the slice gains, and settles their weights; the others keep weight 0. */
export function weighModels(listTask: ListTask, found: TriedModel[], exclusions: Exclusions): BlendPart[] {
  const parts: BlendPart[] = found
    .toSorted((a, b) => b.score - a.score)
    .map(({ family, params, retriever, seconds, secondsPerCase }, at) => {
      return {
        family,
        params,
        retriever,
        seconds,
        secondsPerCase,
        weight: at === 0 ? 1 : 0,
        pool: poolOf(listTask, retriever, exclusions),
      }
    })
  let best = blendScore(listTask, parts)
  while (parts.filter(({ weight }) => weight > 0).length < maxParts) {
    const tries = parts
      .filter(({ weight }) => weight === 0)
      .flatMap((part) =>
        firstWeights.map((weight) => ({ part, weight, score: scoreWith(listTask, parts, part, weight) })),
      )
    const [winner] = tries.toSorted((a, b) => b.score - a.score)
    if (!winner || winner.score < best * minGain) break
    winner.part.weight = winner.weight
    best = settleWeights(listTask, parts, winner.score)
  }
  return parts
}

/** Moves the weight of every part but the first up or down while the slice gains. */
function settleWeights(listTask: ListTask, parts: BlendPart[], score: number): number {
  let best = score
  for (const part of parts.slice(1)) {
    if (part.weight === 0) continue
    for (const step of [1, -1]) {
      for (;;) {
        const weight = weights[weights.indexOf(part.weight) + step]
        if (weight === undefined) break
        const next = scoreWith(listTask, parts, part, weight)
        if (next <= best) break
        best = next
        part.weight = weight
      }
    }
  }
  return best
}

function scoreWith(listTask: ListTask, parts: BlendPart[], part: BlendPart, weight: number): number {
  const held = part.weight
  part.weight = weight
  const score = blendScore(listTask, parts)
  part.weight = held
  return score
}

export interface Refinement {
  listTask: ListTask
  exclusions: Exclusions
  fitted: (family: Family, params: Params) => Promise<Retriever>
  elapsed: () => number
  until: number
  report: (line: string) => void
}

/** Moves parameters inside the blend while the slice improves and time remains. */
export async function refineParams(parts: BlendPart[], refining: Refinement): Promise<void> {
  const { listTask, exclusions, elapsed, until, report } = refining
  const used = parts.filter(({ weight }) => weight > 0)
  let best = blendScore(listTask, used)
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
          part.pool = poolOf(listTask, part.retriever, exclusions)
          const score = blendScore(listTask, used)
          if (score > best * minStepGain) {
            report(`blend gains by ${part.family.kind} ${axis}=${value}: ${score.toFixed(5)}`)
            best = score
            moved = true
            break
          }
          Object.assign(part, held)
        }
      }
    }
    if (moved) best = settleWeights(listTask, used, best)
  }
}

/** Removes parts that later moves made unnecessary, because each part costs time in every request. */
export function dropUnneeded(listTask: ListTask, parts: BlendPart[]): void {
  let best = blendScore(listTask, parts)
  for (const part of parts.toReversed()) {
    if (part.weight === 0 || parts.filter(({ weight }) => weight > 0).length === 1) continue
    const without = scoreWith(listTask, parts, part, 0)
    if (without * minGain < best) continue
    part.weight = 0
    best = without
  }
}

/** Removes the least valuable parts until refitting the rest and scoring every case fits the time. */
export function dropSlow(
  listTask: ListTask,
  parts: BlendPart[],
  { seconds, cases }: { seconds: number; cases: number },
): void {
  const used = () => parts.filter(({ weight }) => weight > 0)
  const fits = listTask.slice.fit === listTask.fit ? 0 : 1
  const cost = () => used().reduce((sum, part) => sum + fits * part.seconds + cases * part.secondsPerCase, 0)
  while (used().length > 1 && cost() > seconds) {
    const [least] = used()
      .map((part) => ({ part, score: scoreWith(listTask, parts, part, 0) }))
      .toSorted((a, b) => b.score - a.score)
    least!.part.weight = 0
  }
}

/** A model's best of every case on the common scale, so that weights can be tried without scoring again. */
function poolOf(listTask: ListTask, retriever: Retriever, exclusions: Exclusions): Pool {
  const board = newScoreBoard(listTask.items)
  const pool: Pool = { ids: [], scores: [] }
  for (const { history } of listTask.slice.cases) {
    exclusions.set(history)
    retriever(history, board)
    const { ids, scores } = bestOf(board, poolLength, exclusions.skip)
    clearBoard(board)
    const top = scores[0] ?? 0
    pool.ids.push(top > 0 ? ids : new Int32Array())
    pool.scores.push(top > 0 ? scores.map((score) => score / top) : new Float64Array())
  }
  return pool
}

function blendScore(listTask: ListTask, parts: BlendPart[]): number {
  const board = newScoreBoard(listTask.items)
  const used = parts.filter(({ weight }) => weight > 0)
  const sums = listTask.measures.map(() => 0)
  listTask.slice.cases.forEach(({ relevant }, row) => {
    for (const { pool, weight } of used) {
      const ids = pool.ids[row]!
      const scores = pool.scores[row]!
      for (let at = 0; at < ids.length; at++) addScore(board, ids[at]!, weight * scores[at]!)
    }
    const list = bestOf(board, listLength).ids
    clearBoard(board)
    figuresOf(listTask.measures, list, relevant).forEach((figure, at) => (sums[at]! += figure))
  })
  return overall(sums.map((sum) => sum / Math.max(1, listTask.slice.cases.length)))
}

/** One figure for all measures: their geometric mean, so that each counts by its relative change. */
export const overall = (means: number[]): number =>
  means.reduce((product, mean) => product * Math.max(mean, 1e-9), 1) ** (1 / means.length)
