// Chooses models, their parameters and their blend on the slice of train, within the time given.

import type { Retriever } from '../retrieval/score-board.ts'
import { topK } from '../top-k.ts'
import { caseEvaluatorFor, exclusionsFor, type CaseEvaluator } from './case-evaluator.ts'
import { families, type Family, fittedRetriever, type Params, searchable } from './families.ts'
import type { TrainingSet } from './training-set.ts'
import { caseCount, type ListTask } from './list-task.ts'
import {
  dropSlow,
  dropUnneeded,
  overall,
  refineParams,
  weighModels,
  type TriedModel,
} from './blend-weights.ts'

export interface Chosen {
  kind: string
  params: Params
  /** 0 for a model that only gives features to the ranker. */
  weight: number
}

export interface Choice extends Chosen {
  family: Family
  /** Fitted on the slice. */
  retriever: Retriever
  /** Time to fit and to score the slice. */
  seconds: number
  /** Scoring time of one case. */
  secondsPerCase: number
}

export interface Clock {
  /** Seconds since the evaluation began. */
  elapsed: () => number
  /** When choosing must end, in the same seconds. */
  deadline: number
  /** When the last test case must be finished. */
  end: number
  report: (line: string) => void
}

/** Share of the selection time reserved for refining parameters inside the blend. */
const refiningShare = 0.25

/** Every model with the best parameters found, with its weight in the blend that does best on the slice. */
export async function chooseBlend(
  listTask: ListTask,
  trainingSet: TrainingSet,
  clock: Clock,
): Promise<Choice[]> {
  const exclusions = exclusionsFor(listTask)
  const evaluator = caseEvaluatorFor(listTask, exclusions, fallbackOrder(trainingSet))
  const suited = families
    .filter((family) => family.suits(listTask))
    .map((family) => searchable(family, listTask))
  const found: TriedModel[] = []
  const began = clock.elapsed()
  const alone = clock.deadline - (clock.deadline - began) * refiningShare
  const cases = caseCount(listTask)
  let shares = suited.reduce((sum, { share }) => sum + share, 0)
  for (const family of suited) {
    const start = clock.elapsed()
    const last = Math.min(alone, latestStart(found, cases, clock.end))
    if (found.length > 0 && start > last) break
    const until = start + ((last - start) * family.share) / shares
    shares -= family.share
    const how = { listTask, trainingSet, evaluator, clock, until }
    found.push(await climb(family, how, await tryParams(family, family.start, how)))
  }
  const parts = weighModels(listTask, found, exclusions)
  const fitted = (family: Family, params: Params) => fittedRetriever(family, trainingSet, params)
  const { elapsed, report } = clock
  const until = Math.min(clock.deadline, latestStart(found, cases, clock.end))
  await refineParams(parts, { listTask, exclusions, fitted, elapsed, until, report })
  dropUnneeded(listTask, parts)
  dropSlow(listTask, parts, { seconds: clock.end - elapsed(), cases })
  const used = parts.filter(({ weight }) => weight > 0)
  report(`chosen: ${used.map(({ family, weight }) => `${weight} × ${family.kind}`).join(' + ')}`)
  return parts.map(({ family, params, weight, retriever, seconds, secondsPerCase }) => {
    return { family, kind: family.kind, params, weight, retriever, seconds, secondsPerCase }
  })
}

/** When the best model so far must begin to be fitted on everything, so that every case is evaluated by the end. */
function latestStart(found: TriedModel[], cases: number, end: number): number {
  const [best] = found.toSorted((a, b) => b.score - a.score)
  return best === undefined ? end : end - best.seconds - cases * best.secondsPerCase
}

interface Climb {
  listTask: ListTask
  trainingSet: TrainingSet
  evaluator: CaseEvaluator
  clock: Pick<Clock, 'elapsed' | 'report'>
  /** When it must end, and after how many trials. */
  until: number
  trials?: number
  /** Awaited, so that its I/O can proceed between trials. */
  onTrial?: (trial: Trial) => void | Promise<void>
}

/** A trial of parameters: how good they are, the time that it took, and what it fitted. */
export type Trial = Pick<TriedModel, 'params' | 'score' | 'seconds' | 'fitSeconds' | 'tables'>

/** The first trial of a family. */
export async function tryOnce(family: Family, how: Omit<Climb, 'evaluator' | 'until'>): Promise<Trial> {
  const { params, score, seconds, fitSeconds, tables } = await tryParams(
    family,
    family.start,
    withEvaluator(how),
  )
  return { params, score, seconds, fitSeconds, tables }
}

/** The best parameters of one family for a task, from its first trial on. */
export const climbFamily = (family: Family, how: Omit<Climb, 'evaluator'>, first: Trial): Promise<Trial> =>
  climb(family, withEvaluator(how), first)

function withEvaluator<How extends Omit<Climb, 'evaluator' | 'until'>>(how: How) {
  const { listTask, trainingSet } = how
  const evaluator = caseEvaluatorFor(listTask, exclusionsFor(listTask), fallbackOrder(trainingSet))
  return { ...how, evaluator }
}

/** Moves along one axis after the other while the slice improves and time remains. */
async function climb<First extends Trial>(
  family: Family,
  climb: Climb,
  first: First,
): Promise<First | TriedModel> {
  let best: First | TriedModel = first
  const seen = new Set([JSON.stringify(family.start)])
  const costs = costsOfMoves(family, first)
  for (let moved = true; moved;) {
    moved = false
    for (const [axis, values] of Object.entries(family.axes)) {
      for (const step of [1, -1]) {
        for (;;) {
          const value = values[values.indexOf(best.params[axis]!) + step]
          const params = { ...best.params, [axis]: value ?? 0 }
          if (value === undefined || seen.has(JSON.stringify(params))) break
          if (climb.clock.elapsed() + costs.along(axis) > climb.until) break
          if (seen.size >= (climb.trials ?? Infinity)) return best
          seen.add(JSON.stringify(params))
          const next = await tryParams(family, params, climb)
          costs.note(axis, next.seconds)
          if (next.score <= best.score) break
          best = next
          moved = true
        }
      }
    }
  }
  return best
}

/** What the next trial along an axis will take: about as much as the latest one that did the same work. */
function costsOfMoves({ cheapAxes }: Family, { seconds, fitSeconds }: Pick<Trial, 'seconds' | 'fitSeconds'>) {
  const expected = { fitting: seconds, scoring: 1.5 * (seconds - fitSeconds) }
  const workOf = (axis: string) => (cheapAxes.includes(axis) ? 'scoring' : 'fitting')
  return {
    along: (axis: string): number => expected[workOf(axis)],
    note: (axis: string, took: number): void => {
      const work = workOf(axis)
      expected[work] = Math.max(expected[work] * 0.7, took)
    },
  }
}

async function tryParams(
  family: Family,
  params: Params,
  { listTask, trainingSet, evaluator, clock, onTrial }: Omit<Climb, 'until'>,
): Promise<TriedModel> {
  const start = clock.elapsed()
  const tables = await family.fit(trainingSet, params)
  const retriever = family.load(tables, params, trainingSet.items)
  const fitSeconds = clock.elapsed() - start
  const sums = listTask.measures.map(() => 0)
  for (const testCase of listTask.slice.cases) {
    const { figures } = evaluator.evaluate(retriever, testCase)
    figures.forEach((figure, at) => (sums[at]! += figure))
  }
  const means = sums.map((sum) => sum / Math.max(1, listTask.slice.cases.length))
  const shown = listTask.measures.map(({ name }, at) => `${name} ${means[at]!.toFixed(4)}`).join(' ')
  clock.report(`${family.kind} ${shownParams(params)}: ${shown} (fit ${fitSeconds.toFixed(1)} s)`)
  const seconds = clock.elapsed() - start
  const secondsPerCase = (seconds - fitSeconds) / Math.max(1, listTask.slice.cases.length)
  const score = overall(means)
  await onTrial?.({ params, score, seconds, fitSeconds, tables })
  return { family, params, tables, retriever, score, seconds, fitSeconds, secondsPerCase }
}

const shownParams = (params: Params): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

/** Items by how often they are touched, ties by id. */
export function fallbackOrder({ counts }: TrainingSet): Int32Array {
  return topK(counts, counts.length).ids
}
