// What the search asks a learned source: held-out cases of a page as a list task, and which training rows are worth a trial.

import type { TrainingSet } from '../../ml/selection/training-set.ts'
import { type Case as ListCase, type ListTask, ndcg, recall } from '../../ml/selection/list-task.ts'
import { focusOf, type ModelQuery, trailOf, visitOf } from '../serving/model-query.ts'
import type { Case } from './cases.ts'
import type { LearnerName } from './sources.ts'

/** The same for the same rows in any order: whole histories and visits are one thing where each buyer came once. */
export function fingerprintOf({ rows, alike }: TrainingSet): string {
  let sum = 0
  for (let row = 0; row < rows.rows; row++) {
    const size = rows.offsets[row + 1]! - rows.offsets[row]!
    for (let at = rows.offsets[row]!; at < rows.offsets[row + 1]!; at++) sum += size * (rows.indices[at]! + 1)
  }
  return `${rows.indices.length} ${sum} ${alike?.indices.length ?? 0}`
}

const fewestPairs = 50

/** Whether enough rows hold two items: a source learns nothing from single ones. */
export function hasPairs({ rows, alike }: TrainingSet): boolean {
  if (alike) return true
  let count = 0
  for (let row = 0; row < rows.rows && count < fewestPairs; row++)
    if (rows.offsets[row + 1]! - rows.offsets[row]! > 1) count++
  return count >= fewestPairs
}

/** What a source reads of a query, as in `candidates.ts`; in the cart all sources but rules and sessions read the page. */
export const readsOf = (name: LearnerName, layer: ModelQuery['layer']): keyof typeof inputs =>
  name === 'rules' || name === 'sessions'
    ? layer === 'main_page'
      ? 'trail'
      : 'visit'
    : name === 'baskets' || layer === 'cart_page'
      ? 'focus'
      : 'trail'

const inputs = { visit: visitOf, focus: focusOf, trail: trailOf }

/** Held-out cases as a list task. */
export function taskOf(
  name: LearnerName,
  { items, repeats, cases }: Pick<ListTask, 'items' | 'repeats'> & { cases: readonly Case[] },
): ListTask {
  const asked = cases.map(({ query, grades }): ListCase => ({
    label: '',
    history: Int32Array.from(inputs[readsOf(name, query.layer)](query)),
    relevant: Int32Array.from(grades.keys()),
  }))
  return {
    items,
    names: [],
    slice: { fit: [], cases: asked, all: asked },
    fit: [],
    cases: () => asked,
    repeats: cases[0]?.query.layer === 'cart_page' ? 'excluded' : repeats,
    order: 'time',
    rows: 'oldest_first',
    measures: [ndcg(10), recall(20)],
  }
}
