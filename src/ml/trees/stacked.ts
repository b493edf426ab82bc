// Boosted trees that see the value of an additive model as one more number. For training rows the value comes from a
// fit of other rows, so it knows as little of their labels as the value of a new row does.
import { shuffled } from '../random.ts'
import { trainAdditive, type WeighedTerm } from './additive-model.ts'
import type { Evaluator } from './apply-kernel.ts'
import type { FeatureColumns } from './model.ts'
import { pickedRows } from './picked-rows.ts'
import type { TrainData } from './train.ts'

const partCount = 5

export interface Stacking {
  /** The fit of all training rows. */
  whole: Pick<Evaluator, 'values'>
  /** The training rows with the value of a fit of other rows. */
  data: TrainData
  /** Other rows with the value of the fit of all training rows. */
  extended: (columns: FeatureColumns) => FeatureColumns
}

/** Adds the value of the additive model of these terms to the rows. */
export function stacking(data: TrainData, terms: WeighedTerm[], seed: number): Stacking {
  const whole = trainAdditive(data, terms)
  const values = valuesFromOthers(data, terms, seed)
  return {
    whole,
    data: { ...data, columns: withValues(data.columns, values) },
    extended: (columns) => withValues(columns, whole.values(columns)),
  }
}

function withValues(columns: FeatureColumns, values: Float64Array): FeatureColumns {
  return { ...columns, floats: [...columns.floats, Float32Array.from(values)] }
}

function valuesFromOthers({ columns, labels }: TrainData, terms: WeighedTerm[], seed: number): Float64Array {
  const values = new Float64Array(columns.rows)
  const order = shuffled(columns.rows, seed)
  for (let part = 0; part < partCount; part++) {
    const others = order.filter((_, i) => i % partCount !== part)
    const rows = order.filter((_, i) => i % partCount === part)
    const known = {
      columns: pickedRows(columns, others),
      labels: Float64Array.from(others, (row) => labels[row]!),
    }
    const found = trainAdditive(known, terms).values(pickedRows(columns, rows))
    rows.forEach((row, i) => (values[row] = found[i]!))
  }
  return values
}

/** A model of stacked rows that takes rows as they are. */
export function unstacked(
  evaluator: Pick<Evaluator, 'values'>,
  { extended }: Stacking,
): Pick<Evaluator, 'values'> {
  return { values: (columns) => evaluator.values(extended(columns)) }
}
