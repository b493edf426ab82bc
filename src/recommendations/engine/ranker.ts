// The model's trees, ready to put candidates in order. A forest from outside may know fewer features than we do.

import { createEvaluator, type Evaluator } from '../ml/trees/apply-kernel.ts'
import { contributions } from '../ml/trees/contributions.ts'
import type { TreeModel } from '../ml/trees/model.ts'
import { featureNames } from './features.ts'

export interface Ranker {
  /** A score for each row; undefined when one of them is not a number. */
  scores(features: readonly Float32Array[]): Float64Array | undefined
  /** By row, what each feature added to the score, the strongest first. */
  reasons(features: readonly Float32Array[], rows: readonly number[]): { feature: string; added: number }[][]
}

/** Names that the forest asks for and nobody knows; categories are among them, because we give none. */
export function unknownFeatures(forest: TreeModel): string[] {
  const known = new Set<string>(featureNames)
  return [
    ...forest.floats.map((it) => it.name).filter((name) => !known.has(name)),
    ...forest.categoricals.map((it) => it.name),
  ]
}

export function rankerOf(forest: TreeModel): Ranker {
  const evaluator: Evaluator = createEvaluator(forest)
  const columns = forest.floats.map((it) => featureNames.indexOf(it.name as (typeof featureNames)[number]))
  const taken = (features: readonly Float32Array[]) => columns.map((at) => features[at]!)
  return {
    scores(features) {
      const rows = features[0]!.length
      const values = evaluator.values({ rows, floats: taken(features), categories: [] })
      for (let row = 0; row < rows; row++) if (!Number.isFinite(values[row]!)) return undefined
      return values
    },
    reasons(features, rows) {
      const floats = taken(features).map((it) => Float32Array.from(rows, (row) => it[row]!))
      const bins = evaluator.quantise({ rows: rows.length, floats, categories: [] })
      const { values } = contributions(forest, { ...bins, rows: rows.length })
      return rows.map((_, row) =>
        forest.floats
          .map(({ name }, at) => ({ feature: name, added: values[row * forest.floats.length + at]! }))
          .sort((a, b) => Math.abs(b.added) - Math.abs(a.added)),
      )
    },
  }
}
