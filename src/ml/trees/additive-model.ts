// Penalised logistic regression: the raw value of a row is a bias and one weight for each term. Weights are found term
// by term with Newton steps, which are exact per weight because a row has one number in a term (ADR 0098).
import type { Evaluator } from './apply-kernel.ts'
import { termInput, type Term } from './additive-terms.ts'
import type { FeatureColumns } from './model.ts'

/** A term and how strongly its weights are held near zero. */
export interface WeighedTerm {
  term: Term
  ridge: number
}

/** The rows of a term on the side that is fitted, and on a side that only follows. */
export interface TermRows {
  size: number
  train: Int32Array
  check: Int32Array
}

/** A fit that can be continued: raw values of both sides, and weights term by term. */
export interface AdditiveFit {
  trainValues: Float64Array
  checkValues: Float64Array
  weights: Float64Array[]
  bias: number
}

const finalPasses = 12
/** A longer step would leave the region where the curve is known. */
const longestStep = 2
const biasRidge = 1e-9

const chanceOf = (value: number): number => 1 / (1 + Math.exp(-value))

/** The fit without terms. */
export function emptyFit(labels: Float64Array, checkRows: number): AdditiveFit {
  const mean = labels.reduce((sum, label) => sum + label, 0) / Math.max(1, labels.length)
  const bias = Math.log(Math.max(mean, 1e-6) / Math.max(1 - mean, 1e-6))
  return {
    trainValues: new Float64Array(labels.length).fill(bias),
    checkValues: new Float64Array(checkRows).fill(bias),
    weights: [],
    bias,
  }
}

export function copiedFit(fit: AdditiveFit): AdditiveFit {
  return {
    trainValues: fit.trainValues.slice(),
    checkValues: fit.checkValues.slice(),
    weights: fit.weights.map((weights) => weights.slice()),
    bias: fit.bias,
  }
}

/** Passes over all terms, the newest first, each followed by the bias; changes the fit. */
export function continueFit(
  fit: AdditiveFit,
  labels: Float64Array,
  { rows, ridges, passes }: { rows: TermRows[]; ridges: number[]; passes: number },
): void {
  const everyRow: TermRows = {
    size: 1,
    train: new Int32Array(fit.trainValues.length),
    check: new Int32Array(fit.checkValues.length),
  }
  for (const { size } of rows.slice(fit.weights.length)) fit.weights.push(new Float64Array(size))
  for (let pass = 0; pass < passes; pass++) {
    for (let at = rows.length - 1; at >= 0; at--) {
      stepTerm(fit, labels, { rows: rows[at]!, weights: fit.weights[at]!, ridge: ridges[at]! })
    }
    const shift = new Float64Array(1)
    stepTerm(fit, labels, { rows: everyRow, weights: shift, ridge: biasRidge })
    fit.bias += shift[0]!
  }
}

/** One Newton step of the weights of a term; changes the weights and the values of both sides. */
export function stepTerm(
  { trainValues, checkValues }: Pick<AdditiveFit, 'trainValues' | 'checkValues'>,
  labels: Float64Array,
  { rows, weights, ridge }: { rows: TermRows; weights: Float64Array; ridge: number },
): void {
  const { size, train, check } = rows
  const slopes = new Float64Array(size)
  const curvatures = new Float64Array(size)
  for (let row = 0; row < train.length; row++) {
    const chance = chanceOf(trainValues[row]!)
    const number = train[row]!
    slopes[number]! += labels[row]! - chance
    curvatures[number]! += chance * (1 - chance)
  }
  const steps = slopes
  for (let number = 0; number < size; number++) {
    const newton = (slopes[number]! - ridge * weights[number]!) / (curvatures[number]! + ridge)
    const step = Math.max(-longestStep, Math.min(longestStep, newton))
    weights[number]! += step
    steps[number] = step
  }
  for (let row = 0; row < train.length; row++) trainValues[row]! += steps[train[row]!]!
  for (let row = 0; row < check.length; row++) checkValues[row]! += steps[check[row]!]!
}

/** The model of these terms on all rows. */
export function trainAdditive(
  data: { columns: FeatureColumns; labels: Float64Array },
  terms: WeighedTerm[],
): Pick<Evaluator, 'values'> {
  const inputs = terms.map(({ term }) => termInput(term, data.columns))
  const fit = emptyFit(data.labels, 0)
  continueFit(fit, data.labels, {
    rows: inputs.map(({ size, own }) => ({ size, train: own, check: new Int32Array(0) })),
    ridges: terms.map(({ ridge }) => ridge),
    passes: finalPasses,
  })
  return {
    values: (columns) => {
      const values = new Float64Array(columns.rows).fill(fit.bias)
      inputs.forEach((input, at) => {
        const weights = fit.weights[at]!
        input.of(columns).forEach((number, row) => (values[row]! += weights[number]!))
      })
      return values
    },
  }
}
