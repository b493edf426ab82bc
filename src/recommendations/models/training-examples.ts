// Training examples for rankers: the candidates of a case, their features, and how each turned out. They train our
// ranker, measure models, and are exported to other engines.

import type { TrainData } from '../../ml/trees/train.ts'
import {
  type Candidates,
  excludedItems,
  type Proposer,
  proposerOf,
  rankedCandidates,
} from '../serving/candidates.ts'
import type { Case } from './cases.ts'
import { type Describer, describerOf, featureNames, type Features } from '../serving/features.ts'
import type { Model } from './model.ts'

export interface RankerExample {
  candidates: Candidates
  features: Features
  labels: number[]
}

/** Builds examples from cases as the serving path would see them. */
export interface ExampleBuilder {
  model: Model
  propose: Proposer
  describe: Describer
}

export const exampleBuilderOf = (model: Model): ExampleBuilder => ({
  model,
  propose: proposerOf(model),
  describe: describerOf(model),
})

export function exampleOf(
  { model, propose, describe }: ExampleBuilder,
  { query, grades }: Pick<Case, 'query' | 'grades'>,
): RankerExample {
  const candidates = propose(query, { limit: rankedCandidates, out: excludedItems(model, query) })
  return {
    candidates,
    features: describe(query, candidates),
    labels: Array.from(candidates.items, (item) => grades.get(item) ?? 0),
  }
}

export function rankerTrainingData(examples: readonly RankerExample[]): TrainData {
  const rows = examples.reduce((sum, it) => sum + it.labels.length, 0)
  const floats = featureNames.map(() => new Float32Array(rows))
  const labels = new Float64Array(rows)
  const queries = new Int32Array(examples.length + 1).fill(rows)
  let from = 0
  examples.forEach((example, query) => {
    queries[query] = from
    example.features.forEach((column, at) => floats[at]!.set(column, from))
    labels.set(example.labels, from)
    from += example.labels.length
  })
  return { columns: { rows, floats, categories: [] }, labels, queries, floatNames: [...featureNames] }
}
