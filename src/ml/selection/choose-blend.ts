// Chooses models, their parameters and their blend on the slice of train, within the time given.

import type { Retriever } from '../retrieval/score-board.ts'
import { caseEvaluatorFor, exclusionsFor, fallbackOrder } from './case-evaluator.ts'
import { families, type Family, fittedRetriever, type Params, searchable } from './families.ts'
import type { TrainingSet } from './training-set.ts'
import { FamilyClimb, tryParams } from './family-climb.ts'
import { caseCount, type ListTask } from './list-task.ts'
import { dropSlow, dropUnneeded, refineParams, weighModels, type TriedModel } from './blend-weights.ts'

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
    const how = { listTask, trainingSet, evaluator, clock, keep: (it: TriedModel) => it }
    const first = await tryParams(family, family.start, how)
    found.push(await new FamilyClimb(family, how, first).goOn(until))
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
