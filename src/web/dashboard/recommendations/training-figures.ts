// What the plots of a training show, from its measurements. Pure.

import type { Operations } from '../../../sdk/index.ts'

export type Measurement = Operations['trainings.get']['reply']['progress'][number]
export type Stage = Measurement['stage']

export interface StageTime {
  stage: Stage
  seconds: number
  isRunning: boolean
}

/** The stages that have begun, with the time that each took; the last one goes on for as long as the training runs. */
export function stageTimes(progress: readonly Measurement[], runningSeconds: number | null): StageTime[] {
  const begun = progress.filter((it, at) => progress.findIndex((one) => one.stage === it.stage) === at)
  const end = runningSeconds ?? progress.at(-1)?.seconds ?? 0
  return begun.flatMap((it, at) => {
    const next = begun[at + 1]
    const seconds = Math.max(0, (next?.seconds ?? end) - it.seconds)
    const isRunning = runningSeconds !== null && !next
    return it.stage === 'done' ? [] : [{ stage: it.stage, seconds, isRunning }]
  })
}

const trialsOf = (progress: readonly Measurement[]) =>
  progress.filter((it) => it.stage === 'search' && it.score !== null && it.page !== null)

export interface SearchPlot {
  /** Of each trial, since the start. */
  seconds: number[]
  pages: { page: string; best: (number | null)[] }[]
}

/** The best score so far of each page, after each trial. */
export function searchPlot(progress: readonly Measurement[]): SearchPlot {
  const trials = trialsOf(progress)
  const pages = [...new Set(trials.map((it) => it.page!))]
  return {
    seconds: trials.map((it) => it.seconds),
    pages: pages.map((page) => {
      let best: number | null = null
      return {
        page,
        best: trials.map((it) => {
          if (it.page === page) best = Math.max(best ?? 0, it.score!)
          return best
        }),
      }
    }),
  }
}

export interface TriedFamily {
  source: string
  family: string
  page: string
  trials: number
  best: number
}

/** By page, the best first. */
export function triedFamilies(progress: readonly Measurement[]): TriedFamily[] {
  const byFamily = Map.groupBy(trialsOf(progress), (it) => `${it.page} ${it.source} ${it.family}`)
  return [...byFamily.values()]
    .map((them) => ({
      source: them[0]!.source ?? '',
      family: them[0]!.family ?? '',
      page: them[0]!.page!,
      trials: them.length,
      best: Math.max(...them.map((it) => it.score!)),
    }))
    .toSorted((a, b) => b.page.localeCompare(a.page) || b.best - a.best)
}

/** The measurements of a stage that have a score. */
export const scoresOf = (progress: readonly Measurement[], stage: Stage) =>
  progress.flatMap((it) => (it.stage === stage && it.score !== null ? [{ ...it, score: it.score }] : []))

/**
 * The curves of the rankers over all reported numbers of trees: each value is that of the ranker with this many trees.
 */
export function rankerPlot(progress: readonly Measurement[]) {
  const points = scoresOf(progress, 'ranker')
  const trees = [...new Set(points.map((it) => it.trees ?? 0))].toSorted((a, b) => a - b)
  const losses = [...new Set(points.map((it) => it.source ?? ''))]
  const scoreAt = (loss: string, count: number) => {
    const own = points.filter((it) => (it.source ?? '') === loss)
    const isOver = count > (own.at(-1)?.trees ?? 0)
    return isOver ? null : (own.findLast((it) => (it.trees ?? 0) <= count)?.score ?? null)
  }
  return { trees, rankers: losses.map((loss) => ({ loss, scores: trees.map((it) => scoreAt(loss, it)) })) }
}
