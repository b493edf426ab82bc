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
  const targets = { labels: check.labels, weights: check.weights, queries: undefined }
  const error = (values: Float64Array) => lossOf('Logloss').error(targets, values)
  let best = { share: 0, passes: 0, error: error(treeValues) }
  const { rows, floats, categories } = train.columns
  if (rows * (floats.length + categories.length) > maxValues) return best
  const machines = factorMachines(train, { seed })
  for (
    let passes = 1;
    passes <= maxPasses && passes - best.passes <= stoppingPasses && shouldContinue();
    passes++
  ) {
    machines.pass()
    const values = machines.values(check.columns)
    for (let share = shareStep; share <= maxShare; share += shareStep) {
      const mixed = values.map((value, row) => share * value + (1 - share) * treeValues[row]!)
      const found = error(mixed)
      if (found < best.error) best = { share, passes, error: found }
    }
  }
  return best
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
