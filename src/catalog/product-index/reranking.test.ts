import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import type { Candidates, SearchRanker } from '../search-learning/ranker.ts'
import { Columns } from './columns.ts'
import { rerank } from './reranking.ts'

const columns = new Columns()
for (const id of [1, 2, 3, 4]) {
  const slot = columns.allocate(id)
  const product = { id, categoryPath: [1], brandId: null, createdAtMs: id, popularity: 0, offers: [] }
  const texts = { name: { ru: `p${id}` }, brand: '', description: {}, categoryNames: [{}], variants: [] }
  columns.writeNames(slot, { ...product, ...texts })
  columns.write(slot, { ...product, ...texts })
}

/** Puts the last first. */
const reversing = {
  order: (_query: string, of: Candidates) => Int32Array.from(of.ids, (_, at) => of.ids.length - 1 - at),
} as unknown as SearchRanker

const ordered = (given: number[]): number[] => {
  const scores = Float64Array.from(given)
  const slots = Int32Array.from(given, (_, at) => at)
  rerank(columns, { slots, scores }, { query: 'q', region: 'home', ranker: reversing })
  return [...slots].sort((a, b) => scores[b]! - scores[a]! || a - b)
}

test('rows that match nearly alike get the learned order, also those with equal scores', () => {
  deepEqual(ordered([10, 9.8, 9.5, 9]), [3, 2, 1, 0])
  deepEqual(ordered([10, 10, 10, 10]), [3, 2, 1, 0])
})

test('a row that matches worse stays below', () => {
  deepEqual(ordered([10, 9.8, 7.9, 2]), [1, 0, 2, 3])
})
