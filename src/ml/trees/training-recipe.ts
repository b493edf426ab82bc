// Training recipes that can be compared and combined: boosted trees and random forests.
import { createEvaluator, type Evaluator } from './apply-kernel.ts'
import { lossOf } from './losses.ts'
import { trainForest, type ForestOptions } from './random-forest.ts'
import { trainTrees, type TrainData } from './train.ts'
import type { TrainOptions } from './train-options.ts'

export type Recipe =
  | { kind: 'boosted'; options: Partial<TrainOptions> }
  | { kind: 'forest'; options: Partial<ForestOptions> }

/** Settings of every training besides its rows. A training that is stopped keeps the trees it has. */
export interface TrainingRun {
  seed: number
  threads: number
  shouldContinue: (grown: number) => boolean
}

export interface Validation {
  /** The error on rows held out: of boosted trees after each tree, of a forest once. */
  errors: number[]
  /** Raw values of the rows held out. */
  values: () => Float64Array
}

/** Trains on one side and judges on the other. */
export function validated(
  recipe: Recipe,
  { train, check }: { train: TrainData; check: TrainData },
  { seed, threads, shouldContinue }: TrainingRun,
): Validation {
  if (recipe.kind === 'boosted') {
    const options = { ...recipe.options, seed, threads }
    const { model, errors } = trainTrees(train, options, { validation: check, shouldContinue })
    return { errors, values: () => createEvaluator(model).values(check.columns) }
  }
  const evaluator = createEvaluator(trainForest(train, { ...recipe.options, seed }, shouldContinue))
  const { labels, weights, queries } = check
  const values = evaluator.values(check.columns)
  return { errors: [lossOf('QueryRMSE').error({ labels, weights, queries }, values)], values: () => values }
}

/** A finished model; boosted trees have exactly this number of trees, unless time runs out. */
export function trainWith(
  recipe: Recipe,
  data: TrainData,
  { iterations, seed, threads, shouldContinue }: TrainingRun & { iterations: number },
): Evaluator {
  if (recipe.kind === 'forest') {
    return createEvaluator(trainForest(data, { ...recipe.options, seed }, shouldContinue))
  }
  const options = { ...recipe.options, iterations, earlyStoppingRounds: 0, seed, threads }
  return createEvaluator(trainTrees(data, options, { shouldContinue }).model)
}

/** Raw values of log-loss mean chances and may be averaged as they are; those of other losses have no scale. */
export const hasOwnScale = (recipe: Recipe): boolean =>
  recipe.kind === 'boosted' && recipe.options.loss === 'Logloss'

/** The recipe in a few words. */
export const named = ({ kind, options }: Recipe): string =>
  kind === 'forest'
    ? 'forest'
    : `${options.loss ?? 'RMSE'} depth ${options.depth ?? 6}, ${options.score ?? 'Cosine'}`
