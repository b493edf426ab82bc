// Factorisation machines on categories: each value has a weight and a short vector, and two values of a row add the
// product of their vectors. Numbers take part as categories, by the interval they lie in.
import { seededNormal, shuffled } from '../random.ts'
import type { Evaluator } from './apply-kernel.ts'
import { featureBorders } from './borders.ts'
import type { FeatureColumns } from './model.ts'
import { bordersBelow } from './quantise.ts'

export interface MachineOptions {
  width: number
  rate: number
  weightDecay: number
  vectorDecay: number
  /** Machines that differ in their first vectors and the order of rows; their mean is the value. */
  machines: number
  seed: number
}

const defaultMachines: MachineOptions = {
  width: 16,
  rate: 0.1,
  weightDecay: 0.01,
  vectorDecay: 0.06,
  machines: 4,
  seed: 0,
}
const numericBorders = 32
const firstSpread = 0.1
/** What AdaGrad's sum of squares begins with. */
const firstSquares = 0.01
const biasRate = 0.01

export interface FactorMachines extends Pick<Evaluator, 'values'> {
  /** One pass over the rows in a new order. */
  pass(): void
}

/** Machines for the chance of the upper class; a value that training never saw adds nothing. */
export function factorMachines(
  data: { columns: FeatureColumns; labels: Float64Array },
  given: Partial<MachineOptions> = {},
): FactorMachines {
  const options = { ...defaultMachines, ...given }
  const inputs = machineInputs(data.columns)
  const rows = inputs.numbers(data.columns)
  const machines = Array.from({ length: options.machines }, (_, number) =>
    createMachine(inputs, data.labels, { ...options, seed: options.seed + 7919 * number }),
  )
  let passes = 0
  return {
    pass: () => {
      for (const machine of machines) machine.pass(rows, passes)
      passes++
    },
    values: (columns) => {
      const cells = inputs.numbers(columns)
      return Float64Array.from({ length: columns.rows }, (_, row) => {
        const sum = machines.reduce((total, { value }) => total + value(cells, row * inputs.width), 0)
        return sum / machines.length
      })
    },
  }
}

interface MachineInputs {
  /** Inputs of a row. */
  width: number
  /** Distinct values of all inputs; 0 stands for an unknown one. */
  count: number
  /** The numbers of the rows' values, row by row. */
  numbers: (columns: FeatureColumns) => Int32Array
}

function machineInputs(train: FeatureColumns): MachineInputs {
  let count = 1
  const borders = train.floats.map((values) => featureBorders(values, numericBorders))
  const keysOf = (columns: FeatureColumns): ArrayLike<number>[] => [
    ...columns.floats.map((values, feature) =>
      Int32Array.from(values, (value) => (Number.isNaN(value) ? -1 : bordersBelow(borders[feature]!, value))),
    ),
    ...columns.categories,
  ]
  const known = keysOf(train).map((keys) => {
    const numbers = new Map<number, number>()
    for (let row = 0; row < train.rows; row++) {
      if (!numbers.has(keys[row]!)) numbers.set(keys[row]!, count++)
    }
    return numbers
  })
  const width = known.length
  const numbers = (columns: FeatureColumns) => {
    const cells = new Int32Array(columns.rows * width)
    keysOf(columns).forEach((keys, input) => {
      for (let row = 0; row < columns.rows; row++) {
        cells[row * width + input] = known[input]!.get(keys[row]!) ?? 0
      }
    })
    return cells
  }
  return { width, count, numbers }
}

interface Machine {
  pass: (rows: Int32Array, number: number) => void
  value: (cells: Int32Array, from: number) => number
}

function createMachine(inputs: MachineInputs, labels: Float64Array, options: MachineOptions): Machine {
  const { width, rate, weightDecay, vectorDecay, seed } = options
  const normal = seededNormal(seed)
  const weights = new Float64Array(inputs.count)
  const weightSquares = new Float64Array(inputs.count).fill(firstSquares)
  const vectors = Float64Array.from({ length: inputs.count * width }, (_, at) =>
    at < width ? 0 : firstSpread * normal(),
  )
  const vectorSquares = new Float64Array(vectors.length).fill(firstSquares)
  const sums = new Float64Array(width)
  const mean = labels.reduce((sum, label) => sum + label, 0) / Math.max(1, labels.length)
  let bias = Math.log(Math.max(mean, 1e-6) / Math.max(1 - mean, 1e-6))

  /** The raw value; leaves the sum of the row's vectors in `sums`. */
  const value = (cells: Int32Array, from: number): number => {
    let linear = bias
    let own = 0
    sums.fill(0)
    for (let at = from; at < from + inputs.width; at++) {
      const input = cells[at]!
      linear += weights[input]!
      for (let k = 0; k < width; k++) {
        const part = vectors[input * width + k]!
        sums[k]! += part
        own += part * part
      }
    }
    let together = 0
    for (let k = 0; k < width; k++) together += sums[k]! * sums[k]!
    return linear + 0.5 * (together - own)
  }

  const step = (input: number, error: number): void => {
    const slope = error + weightDecay * weights[input]!
    weightSquares[input]! += slope * slope
    weights[input]! -= (rate * slope) / Math.sqrt(weightSquares[input]!)
    for (let at = input * width, k = 0; k < width; at++, k++) {
      const vectorSlope = error * (sums[k]! - vectors[at]!) + vectorDecay * vectors[at]!
      vectorSquares[at]! += vectorSlope * vectorSlope
      vectors[at]! -= (rate * vectorSlope) / Math.sqrt(vectorSquares[at]!)
    }
  }

  return {
    value,
    pass: (rows, number) => {
      for (const row of shuffled(labels.length, seed + 104_729 * (number + 1))) {
        const from = row * inputs.width
        const error = 1 / (1 + Math.exp(-value(rows, from))) - labels[row]!
        bias -= rate * biasRate * error
        for (let at = from; at < from + inputs.width; at++) step(rows[at]!, error)
      }
    },
  }
}
