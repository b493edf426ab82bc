// Chooses models, their parameters and their blend on the slice of train, within the time given.

import { addScore, bestOf, boardFor, clearBoard, type Retriever } from '../ml/retrieval/board.ts'
import { topK } from '../ml/top-k.ts'
import { askerFor, figuresOf, guardFor, type Asker, type Guard } from './asking.ts'
import { families, type Family, type Params } from './families.ts'
import type { Shelf } from './shelf.ts'
import { LIST_LENGTH, type Trial } from './trial.ts'

export interface Chosen {
  kind: string
  params: Params
  weight: number
}

export interface Clock {
  /** Seconds since the evaluation began. */
  elapsed: () => number
  /** When choosing must end, in the same seconds. */
  deadline: number
  tell: (line: string) => void
}

const POOL_LENGTH = 200
const FIRST_WEIGHTS = [0.1, 0.4, 1.5]
const WEIGHTS = [0.03, 0.06, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.1, 1.5, 2.2, 3.5, 6]
const MAX_PARTS = 5
/** A further model must earn its keep: less than this gain is noise of the slice. */
const MIN_GAIN = 1.002

/** The blend that does best on the slice; at least one model, however short the time. */
export async function chosenBlend(trial: Trial, shelf: Shelf, clock: Clock): Promise<Chosen[]> {
  const guard = guardFor(trial)
  const asker = askerFor(trial, guard, fallbackOrder(shelf))
  const suited = families.filter((family) => family.suits(trial))
  const found: Found[] = []
  let shares = suited.reduce((sum, { share }) => sum + share, 0)
  for (const family of suited) {
    const start = clock.elapsed()
    if (found.length > 0 && start > clock.deadline) break
    const until = start + ((clock.deadline - start) * family.share) / shares
    shares -= family.share
    found.push(await climbed(family, { trial, shelf, asker, clock, until }))
  }
  return weighed(trial, found, guard, clock)
}

interface Found {
  kind: string
  params: Params
  retriever: Retriever
  score: number
}

interface Climb {
  trial: Trial
  shelf: Shelf
  asker: Asker
  clock: Clock
  until: number
}

/** Moves along one axis after the other while the slice improves and time remains. */
async function climbed(family: Family, climb: Climb): Promise<Found> {
  let best = await tried(family, family.start, climb)
  const seen = new Set([JSON.stringify(family.start)])
  let costliest = best.seconds
  for (let moved = true; moved;) {
    moved = false
    for (const [axis, values] of Object.entries(family.axes)) {
      for (const step of [1, -1]) {
        for (;;) {
          const value = values[values.indexOf(best.params[axis]!) + step]
          const params = { ...best.params, [axis]: value ?? 0 }
          if (value === undefined || seen.has(JSON.stringify(params))) break
          if (climb.clock.elapsed() + costliest > climb.until) return best
          seen.add(JSON.stringify(params))
          const next = await tried(family, params, climb)
          costliest = Math.max(costliest * 0.7, next.seconds)
          if (next.score <= best.score) break
          best = next
          moved = true
        }
      }
    }
  }
  return best
}

async function tried(family: Family, params: Params, { trial, shelf, asker, clock }: Climb) {
  const start = clock.elapsed()
  const retriever = await family.fitted(shelf, params)
  const fitSeconds = clock.elapsed() - start
  const sums = trial.measures.map(() => 0)
  for (const asked of trial.slice.cases) {
    const { figures } = asker.ask(retriever, asked)
    figures.forEach((figure, at) => (sums[at]! += figure))
  }
  const means = sums.map((sum) => sum / Math.max(1, trial.slice.cases.length))
  const shown = trial.measures.map(({ name }, at) => `${name} ${means[at]!.toFixed(4)}`).join(' ')
  clock.tell(`${family.kind} ${shownParams(params)}: ${shown} (fit ${fitSeconds.toFixed(1)} s)`)
  return { kind: family.kind, params, retriever, score: overall(means), seconds: clock.elapsed() - start }
}

const shownParams = (params: Params): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

/** One figure for all measures: their geometric mean, so that each counts by its relative change. */
const overall = (means: number[]): number =>
  means.reduce((product, mean) => product * Math.max(mean, 1e-9), 1) ** (1 / means.length)

/** Items by how often they are touched, ties by id. */
export function fallbackOrder({ counts }: Shelf): Int32Array {
  return topK(counts, counts.length).ids
}

interface Pool {
  ids: Int32Array[]
  scores: Float64Array[]
}

/** Adds models to the best one as long as the slice gains, and settles their weights. */
function weighed(trial: Trial, found: Found[], guard: Guard, clock: Clock): Chosen[] {
  const ranked = found.toSorted((a, b) => b.score - a.score)
  const pools = ranked.map(({ retriever }) => pooled(trial, retriever, guard))
  const weights: number[] = ranked.map((_, at) => (at === 0 ? 1 : 0))
  const scoreWith = (at: number, value: number) => blendScore(trial, pools, weights.with(at, value))
  let best = blendScore(trial, pools, weights)
  while (weights.filter((weight) => weight > 0).length < MAX_PARTS) {
    const absent = weights.keys().filter((at) => weights[at] === 0)
    const tries = [...absent].flatMap((at) =>
      FIRST_WEIGHTS.map((value) => ({ at, value, score: scoreWith(at, value) })),
    )
    const [winner] = tries.toSorted((a, b) => b.score - a.score)
    if (!winner || winner.score < best * MIN_GAIN) break
    weights[winner.at] = winner.value
    best = winner.score
    for (const at of weights.keys()) {
      if (at === 0 || weights[at] === 0) continue
      for (const value of WEIGHTS) {
        const score = scoreWith(at, value)
        if (score <= best) continue
        best = score
        weights[at] = value
      }
    }
  }
  const chosen = ranked.flatMap(({ kind, params }, at) =>
    weights[at]! > 0 ? [{ kind, params, weight: weights[at]! }] : [],
  )
  clock.tell(`chosen: ${chosen.map(({ kind, weight }) => `${weight} × ${kind}`).join(' + ')}`)
  return chosen
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

function blendScore(trial: Trial, pools: Pool[], weights: number[]): number {
  const board = boardFor(trial.items)
  const sums = trial.measures.map(() => 0)
  trial.slice.cases.forEach(({ relevant }, row) => {
    for (let model = 0; model < pools.length; model++) {
      if (weights[model] === 0) continue
      const ids = pools[model]!.ids[row]!
      const scores = pools[model]!.scores[row]!
      for (let at = 0; at < ids.length; at++) addScore(board, ids[at]!, weights[model]! * scores[at]!)
    }
    const list = bestOf(board, LIST_LENGTH).ids
    clearBoard(board)
    figuresOf(trial.measures, list, relevant).forEach((figure, at) => (sums[at]! += figure))
  })
  return overall(sums.map((sum) => sum / Math.max(1, trial.slice.cases.length)))
}
