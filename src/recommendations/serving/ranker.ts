// The model's trees as a ranker. An uploaded forest may use a subset of our features.

import { createEvaluator, type Evaluator } from '../../ml/trees/apply-kernel.ts'
import { contributions } from '../../ml/trees/contributions.ts'
import type { TreeModel } from '../../ml/trees/model.ts'
import { featureNames, type Features } from './features.ts'

export interface Ranker {
  /** Scores of the first rows; undefined when `isLate` ended the computation. */
  scores(features: Features, rows: number, isLate?: () => boolean): Float64Array | undefined
  /** By row, the contribution of each feature to the score, the strongest first. */
  reasons(features: Features, rows: readonly number[]): { feature: string; added: number }[][]
}

/** Why a forest cannot rank our candidates; undefined when it can. */
export function rankerFault({ floats, categoricals, dimension, forest }: TreeModel): string | undefined {
  const known = new Set<string>(featureNames)
  // Categorical features count as unknown, because we provide none.
  const unknown = [
    ...floats.map((it) => it.name).filter((name) => !known.has(name)),
    ...categoricals.map((it) => it.name),
  ]
  if (unknown.length > 0) return `it uses unknown features: ${unknown.join(', ').slice(0, 300)}`
  if (dimension !== 1) return `it has ${dimension} values for a row, but a ranker needs one`
  if (!forest.leafValues.every(Number.isFinite)) return 'a leaf value is not a finite number'
  return undefined
}

export function rankerOf(forest: TreeModel): Ranker {
  const evaluator: Evaluator = createEvaluator(forest)
  const columns = forest.floats.map((it) => featureNames.indexOf(it.name as (typeof featureNames)[number]))
  const taken = (features: Features) => columns.map((at) => features[at]!)
  const atOnce = rowsAtOnce(forest, evaluator.kind)
  return {
    scores(features, rows, isLate = () => false) {
      const floats = taken(features)
      if (rows <= atOnce) return evaluator.values({ rows, floats, categories: [] })
      const scores = new Float64Array(rows)
      for (let from = 0; from < rows; from += atOnce) {
        if (isLate()) return undefined
        const some = floats.map((it) => it.subarray(from, Math.min(rows, from + atOnce)))
        const count = Math.min(rows, from + atOnce) - from
        scores.set(evaluator.values({ rows: count, floats: some, categories: [] }), from)
      }
      return scores
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

/** Worst-case time per tree and row, and the longest time between two checks of the clock. */
const nanosecondsPerTree = { simd: 4, plain: 100 }
const breathNanoseconds = 10_000_000

/** A forest of usual size scores a whole list at once, a huge one a few rows at a time. */
function rowsAtOnce({ forest }: TreeModel, kind: Evaluator['kind']): number {
  const trees = forest.kind === 'symmetric' ? forest.depths.length : forest.roots.length
  return Math.max(1, Math.floor(breathNanoseconds / (Math.max(1, trees) * nanosecondsPerTree[kind])))
}
