import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../random.ts'
import { createEvaluator } from './apply-kernel.ts'
import { featureImportance } from './importance.ts'
import { lossOf } from './losses.ts'
import { trainForest, type ForestOptions } from './random-forest.ts'
import type { TrainData } from './train.ts'

/** Queries of ten rows whose relevance two features decide together, among others that say nothing. */
function rows(queries: number, seed: number): TrainData {
  const random = seededRandom(seed)
  const count = queries * 10
  const floats = Array.from({ length: 6 }, () => Float32Array.from({ length: count }, random))
  const labels = Float64Array.from({ length: count }, (_, row) => {
    return floats[0]![row]! > 0.5 !== floats[1]![row]! > 0.3 ? 1 + Math.round(random()) : 0
  })
  const starts = Int32Array.from({ length: queries + 1 }, (_, query) => query * 10)
  return { columns: { rows: count, floats, categories: [] }, labels, queries: starts }
}

const few: Partial<ForestOptions> = { trees: 40, featureShare: 0.5 }
const values = (data: TrainData, options: Partial<ForestOptions>, asked = data.columns): Float64Array =>
  createEvaluator(trainForest(data, options)).values(asked)

test('a forest orders queries it never saw by features that only tell something together', () => {
  const check = rows(60, 2)
  const scores = values(rows(80, 1), few, check.columns)
  const targets = { labels: check.labels, weights: undefined, queries: check.queries }
  const ndcgOf = (given: Float64Array) => -lossOf('QueryRMSE').error(targets, given)
  const [ndcg, unordered] = [ndcgOf(scores), ndcgOf(new Float64Array(600))]
  assert.ok(ndcg > 0.85 && ndcg > unordered + 0.15, `ndcg ${ndcg}`)
  const [first, second, ...others] = featureImportance(trainForest(rows(80, 1), few))
  assert.ok(Math.min(first!, second!) > 2 * Math.max(...others))
})

test('the same seed gives the same forest and another seed another', () => {
  const data = rows(20, 1)
  assert.deepEqual(values(data, { ...few, seed: 3 }), values(data, { ...few, seed: 3 }))
  assert.notDeepEqual(values(data, { ...few, seed: 3 }), values(data, { ...few, seed: 4 }))
})

test('missing, infinite and constant features, one row and no relevance give finite values', () => {
  const odd = rows(12, 1)
  odd.columns.floats[2]!.fill(Number.NaN)
  odd.columns.floats[3]!.fill(7)
  odd.columns.floats[4]!.forEach((_, row) => (odd.columns.floats[4]![row] = row % 2 ? Infinity : -Infinity))
  const one: TrainData = {
    columns: { rows: 1, floats: [Float32Array.of(1)], categories: [] },
    labels: Float64Array.of(1),
    queries: Int32Array.of(0, 1),
  }
  const flat = { ...rows(5, 1), labels: new Float64Array(50) }
  for (const data of [odd, one, flat]) {
    assert.ok(values(data, few).every((value) => Number.isFinite(value)))
  }
})

test('a forest that may not go on keeps the trees it has, and always one', () => {
  const trees = (shouldContinue: (grown: number) => boolean) => {
    const { forest } = trainForest(rows(10, 1), few, shouldContinue)
    return forest.kind === 'binary' ? forest.roots.length : 0
  }
  assert.equal(
    trees((grown) => grown < 5),
    5,
  )
  assert.equal(
    trees(() => false),
    1,
  )
})
