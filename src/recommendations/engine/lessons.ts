// Questions as a model sees them: the candidates that it proposes, what it says of each, and how each turned out. The
// ranker learns from them, models are measured by them, and other engines are given them.

import type { TrainData } from '../ml/trees/train.ts'
import { type Candidates, type Proposer, proposerOf, unwelcome } from './candidates.ts'
import type { Case } from './cases.ts'
import { type Describer, describerOf, featureNames, type Features } from './features.ts'
import type { Model } from './model.ts'

export interface Lesson {
  candidates: Candidates
  features: Features
  labels: number[]
}

/** Makes lessons of cases, as a serving model would see them. */
export interface School {
  model: Model
  propose: Proposer
  describe: Describer
}

const candidatesPerCase = 100

export const schoolOf = (model: Model): School => ({
  model,
  propose: proposerOf(model),
  describe: describerOf(model),
})

export function lessonOf(
  { model, propose, describe }: School,
  { inquiry, grades }: Pick<Case, 'inquiry' | 'grades'>,
): Lesson {
  const candidates = propose(inquiry, { limit: candidatesPerCase, out: unwelcome(model, inquiry) })
  return {
    candidates,
    features: describe(inquiry, candidates),
    labels: Array.from(candidates.items, (item) => grades.get(item) ?? 0),
  }
}

export function trainData(lessons: readonly Lesson[]): TrainData {
  const rows = lessons.reduce((sum, it) => sum + it.labels.length, 0)
  const floats = featureNames.map(() => new Float32Array(rows))
  const labels = new Float64Array(rows)
  const queries = new Int32Array(lessons.length + 1).fill(rows)
  let from = 0
  lessons.forEach((lesson, query) => {
    queries[query] = from
    lesson.features.forEach((column, at) => floats[at]!.set(column, from))
    labels.set(lesson.labels, from)
    from += lesson.labels.length
  })
  return { columns: { rows, floats, categories: [] }, labels, queries, floatNames: [...featureNames] }
}
