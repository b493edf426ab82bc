// Which terms an additive model has, and how strongly each is held back: one term after another by the log-loss on
// rows that a fit did not see.
import { shuffled } from '../random.ts'
import { candidateTerms, termInput, type Term } from './additive-terms.ts'
import {
  continueFit,
  copiedFit,
  emptyFit,
  stepTerm,
  type AdditiveFit,
  type TermRows,
  type WeighedTerm,
} from './additive-model.ts'
import { lossOf } from './losses.ts'
import type { FeatureColumns } from './model.ts'
import { pickedRows } from './picked-rows.ts'

const splitCount = 3
const maxTerms = 24
/** After this many terms only the candidates that were best before are tried again. */
const wideRounds = 2
const triedAgain = 40
/** So many candidates, the best beside fixed weights of the terms before, are judged with all weights free. */
const finalists = 6
const firstRidge = 4
const otherRidges = [1, 2, 8, 16]
/** Ridges of all terms are tried again after every so many terms. */
const ridgeRounds = 3
const ridgeFactors = [0.5, 2]
const leastRidgeGain = 1e-5
const leastGain = 5e-5
/** Passes to screen a candidate, to judge one, a ridge, and to settle a new term. */
const screeningPasses = 2
const trialPasses = 3
const ridgePasses = 4
const settlePasses = 6
/** Above this many numbers of rows by candidates, a search would take time and memory that trees use better. */
const maxNumbers = 10_000_000

interface Split {
  labels: Float64Array
  checkLabels: Float64Array
  /** By candidate. */
  rows: TermRows[]
}

/** Fits of the same terms, one for each split. */
interface State {
  chosen: number[]
  ridges: number[]
  fits: AdditiveFit[]
  error: number
}

/** Terms with their ridges, none where nothing is gained; what the time allows. */
export function chooseTerms(
  data: { columns: FeatureColumns; labels: Float64Array },
  { seed, shouldContinue }: { seed: number; shouldContinue: () => boolean },
): WeighedTerm[] {
  const terms = candidateTerms(data.columns)
  if (terms.length * data.columns.rows > maxNumbers || data.columns.rows < splitCount) return []
  const splits = rowSplits(data, terms, seed)
  let best = judged(
    {
      chosen: [],
      ridges: [],
      fits: splits.map(({ labels, checkLabels }) => emptyFit(labels, checkLabels.length)),
      error: 0,
    },
    splits,
    1,
  )
  const errors = new Float64Array(terms.length)
  for (let round = 0; round < maxTerms && shouldContinue(); round++) {
    const open = [...terms.keys()]
      .filter((term) => !best.chosen.includes(term))
      .toSorted((left, right) => errors[left]! - errors[right]!)
      .slice(0, round < wideRounds ? terms.length : triedAgain)
    for (const term of open) {
      if (!shouldContinue()) break
      errors[term] = errorBeside(best, splits, term)
    }
    if (open.length === 0 || !shouldContinue()) break
    const trials = open
      .toSorted((left, right) => errors[left]! - errors[right]!)
      .slice(0, finalists)
      .map((term) => judged(withTerm(best, term), splits, trialPasses))
    const added = trials.reduce((least, trial) => (trial.error < least.error ? trial : least)).chosen.at(-1)!
    let next = bestRidge(judged(withTerm(best, added), splits, settlePasses), splits)
    if (round % ridgeRounds === ridgeRounds - 1) next = scaledRidges(next, splits)
    if (next.error > best.error - leastGain) break
    best = next
  }
  return best.chosen.map((term, at) => ({ term: terms[term]!, ridge: best.ridges[at]! }))
}

function rowSplits(
  { columns, labels }: { columns: FeatureColumns; labels: Float64Array },
  terms: Term[],
  seed: number,
): Split[] {
  const order = shuffled(columns.rows, seed)
  return Array.from({ length: splitCount }, (_, split) => {
    const side = (held: boolean) => order.filter((__, i) => (i % splitCount === split) === held)
    const train = side(false)
    const check = side(true)
    const known = pickedRows(columns, train)
    const others = pickedRows(columns, check)
    return {
      labels: Float64Array.from(train, (row) => labels[row]!),
      checkLabels: Float64Array.from(check, (row) => labels[row]!),
      rows: terms.map((term) => {
        const { size, own, of } = termInput(term, known)
        return { size, train: own, check: of(others) }
      }),
    }
  })
}

/** The state after some passes; changes its fits. */
function judged(state: State, splits: Split[], passes: number): State {
  const errors = splits.map((split, at) => {
    const fit = state.fits[at]!
    const rows = state.chosen.map((term) => split.rows[term]!)
    continueFit(fit, split.labels, { rows, ridges: state.ridges, passes })
    return checkError(split, fit.checkValues)
  })
  return { ...state, error: errors.reduce((sum, error) => sum + error, 0) / errors.length }
}

function checkError({ checkLabels }: Split, values: Float64Array): number {
  return lossOf('Logloss').error({ labels: checkLabels, weights: undefined, queries: undefined }, values)
}

/** The error with one more term while the weights of the others and the bias stay. */
function errorBeside({ fits }: State, splits: Split[], term: number): number {
  const errors = splits.map((split, at) => {
    const rows = split.rows[term]!
    const fit = { trainValues: fits[at]!.trainValues.slice(), checkValues: fits[at]!.checkValues.slice() }
    const weights = new Float64Array(rows.size)
    for (let pass = 0; pass < screeningPasses; pass++) {
      stepTerm(fit, split.labels, { rows, weights, ridge: firstRidge })
    }
    return checkError(split, fit.checkValues)
  })
  return errors.reduce((sum, error) => sum + error, 0) / errors.length
}

function withTerm(state: State, term: number): State {
  return {
    chosen: [...state.chosen, term],
    ridges: [...state.ridges, firstRidge],
    fits: state.fits.map(copiedFit),
    error: state.error,
  }
}

function withRidge(state: State, at: number, ridge: number): State {
  return { ...state, ridges: state.ridges.with(at, ridge), fits: state.fits.map(copiedFit) }
}

/** Tries other ridges for the newest term. */
function bestRidge(state: State, splits: Split[]): State {
  return otherRidges.reduce((best, ridge) => {
    const trial = judged(withRidge(state, state.ridges.length - 1, ridge), splits, ridgePasses)
    return trial.error < best.error ? trial : best
  }, state)
}

function scaledRidges(state: State, splits: Split[]): State {
  let best = state
  for (const at of state.ridges.keys()) {
    for (const factor of ridgeFactors) {
      const trial = judged(withRidge(best, at, best.ridges[at]! * factor), splits, ridgePasses)
      if (trial.error < best.error - leastRidgeGain) best = trial
    }
  }
  return best
}
