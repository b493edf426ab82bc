// What a training has measured so far, saved while it runs: the points of its plots.

import { elapsedMs } from '../../base/clock.ts'

/** In the order in which a training comes to them. */
export const stages = [
  'read',
  'search',
  'weights',
  'ranker',
  'held_out',
  'compared',
  'final',
  'done',
] as const
export type Stage = (typeof stages)[number]

/** A measurement, or without a score the start of a stage. */
export interface Measurement {
  stage: Stage
  score?: number
  /** The page whose cases were held out for the search. */
  page?: string
  /** What was measured: a source, a ranker by its loss, popularity, or a whole model. */
  source?: string
  /** The family of the search, such as `ease`. */
  family?: string
  /** The number of trees that the ranker had. */
  trees?: number
}

export interface ProgressPoint {
  stage: Stage
  /** Since the training began. */
  seconds: number
  score: number | null
  page: string | null
  source: string | null
  family: string | null
  trees: number | null
}

/** The search does fewer trials; later ones would be left out. */
export const maxPoints = 600
const saveEveryMs = 400

/** Collects points and saves all of them, at most a few times a second. */
export function recordProgress(save: (points: readonly ProgressPoint[]) => Promise<void>) {
  const points: ProgressPoint[] = []
  const startMs = elapsedMs()
  let savedMs = -saveEveryMs
  const flush = async () => {
    savedMs = elapsedMs()
    await save(points)
  }
  const add = async ({ stage, score, page, source, family, trees }: Measurement) => {
    if (points.length >= maxPoints) return
    points.push({
      stage,
      seconds: rounded((elapsedMs() - startMs) / 1_000, 10),
      score: score === undefined ? null : rounded(score, 10_000),
      page: page ?? null,
      source: source ?? null,
      family: family ?? null,
      trees: trees ?? null,
    })
    if (score === undefined || elapsedMs() - savedMs >= saveEveryMs) await flush()
  }
  return { add, flush }
}

const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts

const shownTrees = 60

/** The quality of a ranker after each tree, thinned out; the last one is kept. */
export const rankerCurve = (loss: string, errors: readonly number[]): Measurement[] => {
  const step = Math.max(1, Math.ceil(errors.length / shownTrees))
  return errors.flatMap((error, at) =>
    (at + 1) % step === 0 || at === errors.length - 1
      ? [{ stage: 'ranker' as const, source: loss, trees: at + 1, score: -error }]
      : [],
  )
}
