// Trains rankers on the cases of a week.

import type { TreeModel } from '../../ml/trees/model.ts'
import { trainTrees } from '../../ml/trees/train.ts'
import { candidateTrees } from '../../ml/trees/train-options.ts'
import type { Case } from './cases.ts'
import type { FitOptions } from './fit-parts.ts'
import type { Model } from './model.ts'
import { isOver, type Pace, partOf, workedThrough } from './training-budget.ts'
import { exampleBuilderOf, exampleOf, rankerTrainingData } from './training-examples.ts'
import { rankerCurve } from './training-progress.ts'

/** With fewer visits no ranker is trained. */
const fewestCases = 200
/** Every fifth example ends the training of a ranker early; the last week decides whether it is used. */
const heldOutEvery = 5
const trees = {
  loss: 'YetiRank',
  iterations: 300,
  learningRate: 0.12,
  depth: 6,
  l2: 5,
  earlyStoppingRounds: 20,
} as const
const fastTrees = { ...trees, learningRate: 0.2, earlyStoppingRounds: 10 } as const
/** The share of the time for the features of cases; the rest is for trees. */
const examplesShare = 0.4

export async function trainRankers(
  model: Model,
  given: readonly Case[],
  { seed, threads, strides, searchSeconds, report, onProgress, pace }: FitOptions & { pace: Pace },
): Promise<TreeModel[]> {
  if (given.length < fewestCases) return []
  await onProgress?.({ stage: 'ranker' })
  const builder = exampleBuilderOf(model)
  const build = (it: Case) => exampleOf(builder, it)
  const building = { pace: partOf(pace, examplesShare), fewest: fewestCases }
  const examples = workedThrough(given, build, building).filter((it) => it.labels.some((label) => label > 0))
  const [learnt, heldOut] = [false, true].map((isHeldOut) =>
    examples.filter((_, at) => (at % heldOutEvery === 0) === isHeldOut),
  )
  if (learnt!.length < fewestCases / 2) return []
  const data = rankerTrainingData(learnt!)
  const validation = rankerTrainingData(heldOut!)
  const forests: TreeModel[] = []
  // With time for a search both losses are tried, and the last week decides between them.
  const tried = searchSeconds ? [trees, candidateTrees] : [strides === 'long' ? fastTrees : trees]
  for (const [at, options] of tried.entries()) {
    if (at > 0 && isOver(pace)) break
    const own = partOf(pace, 1 / (tried.length - at))
    const { model: forest, errors } = trainTrees(
      data,
      { ...options, seed, threads },
      { validation, shouldContinue: () => !isOver(own) },
    )
    forests.push(forest)
    for (const it of rankerCurve(options.loss, errors)) await onProgress?.(it)
    await report(`trained a ranker of ${errors.length} trees on ${learnt!.length} visits by ${options.loss}`)
  }
  return forests
}
