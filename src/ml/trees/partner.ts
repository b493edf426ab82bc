// A model of another kind beside boosted trees: how long it trains and its share in the mean of raw values are chosen
// on held-out rows, where a share of nothing leaves the trees alone.
import { factorMachines } from './factor-machine.ts'
import { lossOf } from './losses.ts'
import type { Evaluator } from './apply-kernel.ts'
import type { TrainData } from './train.ts'

const maxPasses = 20
/** Passes without improvement after which the search ends. */
const stoppingPasses = 3
const shareStep = 0.05
const maxShare = 0.5
/** Above this many values a pass would take time that trees use better. */
const maxValues = 20_000_000

export interface PartnerChoice {
  share: number
  passes: number
}

/** The best share and number of passes beside trees whose values on the held-out rows are given. */
export function choosePartner(
  { train, check }: { train: TrainData; check: TrainData },
  treeValues: Float64Array,
  { seed, shouldContinue }: { seed: number; shouldContinue: () => boolean },
): PartnerChoice {
  let best = { share: 0, passes: 0, error: errorOf(treeValues, check) }
  const { rows, floats, categories } = train.columns
  if (rows * (floats.length + categories.length) > maxValues) return best
  const machines = factorMachines(train, { seed })
  for (
    let passes = 1;
    passes <= maxPasses && passes - best.passes <= stoppingPasses && shouldContinue();
    passes++
  ) {
    machines.pass()
    const found = bestShare(machines.values(check.columns), treeValues, check)
    if (found.error < best.error) best = { ...found, passes }
  }
  return best
}

/** The log-loss of raw values on rows held out. */
function errorOf(values: Float64Array, { labels, weights }: TrainData): number {
  return lossOf('Logloss').error({ labels, weights, queries: undefined }, values)
}

/** The share of these values beside those of trees that has the least error, 0 where none helps. */
export function bestShare(
  values: Float64Array,
  treeValues: Float64Array,
  check: TrainData,
): { share: number; error: number } {
  let best = { share: 0, error: errorOf(treeValues, check) }
  for (let share = shareStep; share <= maxShare; share += shareStep) {
    const error = errorOf(mixed(values, treeValues, share), check)
    if (error < best.error) best = { share, error }
  }
  return best
}

/** The mean of two models' values where the first has a share. */
export function mixed(values: Float64Array, others: Float64Array, share: number): Float64Array {
  return values.map((value, row) => share * value + (1 - share) * others[row]!)
}

/** Machines trained on all rows. */
export function trainedPartner(
  data: TrainData,
  { passes }: PartnerChoice,
  seed: number,
): Pick<Evaluator, 'values'> {
  const machines = factorMachines(data, { seed })
  for (let pass = 0; pass < passes; pass++) machines.pass()
  return machines
}
