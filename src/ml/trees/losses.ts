// Losses as derivatives by row. Derivatives point the way the value should go; hessians are positive.
import { scoredNdcgAt } from '../metrics.ts'
import { seededRandom } from '../random.ts'
import type { Derivation, QueryRandom, Targets } from './derivatives.ts'
import { ModelError } from './model-error.ts'
import type { LossName } from './train-options.ts'
import { lambdaMartDerivatives } from './lambda-mart.ts'
import { yetiRankDerivatives } from './yeti-rank.ts'

/** Numbers by our own generator, others for every draw and query. */
export const ownQueryRandom: QueryRandom = (seed, query) =>
  seededRandom((seed ^ Math.imul(query + 1, 0x9e3779b1)) >>> 0)

export interface Loss {
  /** The best constant prediction. */
  average(targets: Targets): number
  derive(targets: Targets, approx: Float64Array, derivation: Derivation): void
  /** The figure that early stopping minimises. */
  error(targets: Targets, approx: Float64Array): number
  /** Derivatives are random draws. */
  drawn?: true
}

/** The loss of that name. */
export function lossOf(name: LossName): Loss {
  return lossTable[name]
}

const lossTable: Record<LossName, Loss> = {
  RMSE: { average: meanLabel, derive: squareDerivatives, error: rootMeanSquare },
  Logloss: { average: meanLogit, derive: logisticDerivatives, error: meanLogLoss },
  QueryRMSE: { average: () => 0, derive: querySquareDerivatives, error: negativeNdcg },
  LambdaMart: { average: () => 0, derive: lambdaMartDerivatives, error: negativeNdcg },
  YetiRank: { average: () => 0, derive: yetiRankDerivatives, error: negativeNdcg, drawn: true },
}

/** Rejects labels that the loss is not defined for. */
export function checkTargets(name: LossName, targets: Targets): void {
  const { labels, weights, queries } = targets
  if (labels.some((label) => !Number.isFinite(label))) throw new ModelError('A label is not a finite number.')
  if (name === 'Logloss' && labels.some((label) => label < 0 || label > 1)) {
    throw new ModelError('Logloss needs labels from 0 to 1.')
  }
  if (weights?.some((weight) => !(weight >= 0 && weight < 1e9))) {
    throw new ModelError('A weight is negative or not a number.')
  }
  if (name !== 'RMSE' && name !== 'Logloss' && queries === undefined) {
    throw new ModelError(`${name} needs rows grouped by query.`)
  }
}

function weightOf({ weights }: Targets, row: number): number {
  return weights === undefined ? 1 : weights[row]!
}

function meanLabel(targets: Targets): number {
  let sum = 0
  let weight = 0
  targets.labels.forEach((label, row) => {
    sum += label * weightOf(targets, row)
    weight += weightOf(targets, row)
  })
  return weight > 0 ? sum / weight : 0
}

function meanLogit(targets: Targets): number {
  const mean = Math.min(1 - 1e-6, Math.max(1e-6, meanLabel(targets)))
  return Math.log(mean / (1 - mean))
}

function squareDerivatives({ labels }: Targets, approx: Float64Array, { out }: Derivation): void {
  const { ders, hessians, weights } = out
  for (let row = 0; row < labels.length; row++) {
    ders[row] = (labels[row]! - approx[row]!) * weights[row]!
    hessians[row] = weights[row]!
  }
}

function logisticDerivatives({ labels }: Targets, approx: Float64Array, { out, grower }: Derivation): void {
  grower.logistic(approx, labels, out)
}

/** Squares of differences after each query's mean difference is taken away. */
function querySquareDerivatives(targets: Targets, approx: Float64Array, { out }: Derivation): void {
  const { labels } = targets
  const queries = targets.queries!
  for (let query = 0; query + 1 < queries.length; query++) {
    const end = queries[query + 1]!
    let sum = 0
    let weights = 0
    for (let row = queries[query]!; row < end; row++) {
      sum += (labels[row]! - approx[row]!) * weightOf(targets, row)
      weights += weightOf(targets, row)
    }
    const shift = weights > 0 ? sum / weights : 0
    for (let row = queries[query]!; row < end; row++) {
      const weight = weightOf(targets, row)
      out.ders[row] = (labels[row]! - approx[row]! - shift) * weight
      out.hessians[row] = weight
    }
  }
}

function rootMeanSquare(targets: Targets, approx: Float64Array): number {
  let sum = 0
  let weights = 0
  targets.labels.forEach((label, row) => {
    sum += (label - approx[row]!) ** 2 * weightOf(targets, row)
    weights += weightOf(targets, row)
  })
  return weights > 0 ? Math.sqrt(sum / weights) : 0
}

function meanLogLoss(targets: Targets, approx: Float64Array): number {
  let sum = 0
  let weights = 0
  targets.labels.forEach((label, row) => {
    const value = approx[row]!
    const softplus = value > 0 ? value + Math.log1p(Math.exp(-value)) : Math.log1p(Math.exp(value))
    sum += (softplus - label * value) * weightOf(targets, row)
    weights += weightOf(targets, row)
  })
  return weights > 0 ? sum / weights : 0
}

const ndcgDepth = 10

function negativeNdcg(targets: Targets, approx: Float64Array): number {
  const queries = targets.queries!
  let sum = 0
  for (let query = 0; query + 1 < queries.length; query++) {
    const from = queries[query]!
    const to = queries[query + 1]!
    sum += scoredNdcgAt(targets.labels.subarray(from, to), approx.subarray(from, to), ndcgDepth)
  }
  return queries.length > 1 ? -sum / (queries.length - 1) : 0
}
