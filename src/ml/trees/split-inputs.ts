import type { TreeModel } from './model.ts'

/** Inputs of a model in one row of numbers: numeric features first, then categorical ones. */
export function inputCount(model: TreeModel): number {
  return model.floats.length + model.categoricals.length
}

/** For every split, the inputs it looks at: one, or all of a combination. */
export function splitInputs(model: TreeModel): number[][] {
  const first = model.floats.length
  return [
    ...model.floats.flatMap(({ borders }, feature) => Array.from(borders, () => [feature])),
    ...model.categoricals.flatMap(({ values }, feature) => Array.from(values, () => [first + feature])),
    ...model.ctrs.flatMap(({ borders, table }) => {
      const inputs = model.tables[table]!.elements.map((element) =>
        element.kind === 'border' ? element.feature : first + element.feature,
      )
      return Array.from(borders, () => inputs)
    }),
  ]
}
