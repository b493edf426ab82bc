import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { columnsFor, featureNames } from '../serving/features.ts'
import { type Ranker, rankerOf } from '../serving/ranker.ts'
import { seededNormal } from '../../ml/random.ts'
import type { SymmetricForest, TreeModel } from '../../ml/trees/model.ts'
import { trainTrees } from '../../ml/trees/train.ts'
import { withCircuitBreaker, type RankerFault } from './active-model.ts'

const rows = 200
const normal = seededNormal(1)
const features = columnsFor(rows)
for (const column of features) column.forEach((_, row) => (column[row] = normal()))

const forestOf = (depth: number, iterations: number): TreeModel => {
  const labels = Float64Array.from({ length: rows }, normal)
  const columns = { rows, floats: [...features], categories: [] }
  return trainTrees(
    { columns, labels, floatNames: [...featureNames] },
    { depth, iterations, loss: 'RMSE', seed: 1 },
  ).model
}

const small = forestOf(4, 10)
const leavesOf = (forest: TreeModel) => (forest.forest as SymmetricForest).leafValues

/** The same forest, repeated. */
const repeated = (model: TreeModel, times: number): TreeModel => {
  const forest = model.forest as SymmetricForest
  const many = <T extends Uint8Array | Uint32Array | Float64Array>(it: T): T => {
    const all = new (it.constructor as new (length: number) => T)(it.length * times)
    for (let time = 0; time < times; time++) all.set(it, time * it.length)
    return all
  }
  return {
    ...model,
    forest: {
      ...forest,
      depths: many(forest.depths),
      splits: many(forest.splits),
      leafValues: many(forest.leafValues),
      leafWeights: many(forest.leafWeights),
    },
  }
}

test('the scores of a working ranker are used', () => {
  const faults: RankerFault[] = []
  const ranker = withCircuitBreaker(rankerOf(small), { onFault: (fault) => faults.push(fault) })
  deepEqual(ranker.scores(features, rows), rankerOf(small).scores(features, rows))
  deepEqual(faults, [])
})

test('a ranker gives the same scores for smaller batches', () => {
  const deep = repeated(forestOf(10, 3), 2_000)
  const inParts = rankerOf(deep).scores(features, 30)
  const alone = Float64Array.from({ length: 30 }, (_, row) => {
    const one = features.map((it) => it.subarray(row, row + 1))
    return rankerOf(deep).scores(one, 1)![0]!
  })
  deepEqual(inParts, alone)
})

test('a ranker that exceeds its time budget is disabled for a while', () => {
  const faults: RankerFault[] = []
  let nowMs = 0
  const slow = repeated(forestOf(10, 3), 2_000)
  const ranker = withCircuitBreaker(rankerOf(slow), {
    onFault: (fault) => faults.push(fault),
    budgetMs: 100,
    now: () => (nowMs += 60),
  })
  equal(ranker.scores(features, rows), undefined)
  const gaveUpMs = nowMs
  equal(ranker.scores(features, rows), undefined)
  equal(nowMs, gaveUpMs + 60, 'it was not even tried')
  nowMs += 60_000
  equal(ranker.scores(features, rows), undefined)
  deepEqual(faults, ['late', 'late'])
})

test('scores that are not numbers, a wrong number of scores and an exception are faults', () => {
  const broken = structuredClone(small)
  leavesOf(broken).fill(Number.NaN)
  const huge = repeated(structuredClone(small), 4)
  leavesOf(huge).fill(Number.MAX_VALUE)
  const strange = (scores: Ranker['scores']): Ranker => ({ scores, reasons: () => [] })
  const cases: [RankerFault, Ranker][] = [
    ['not_a_number', rankerOf(broken)],
    ['not_a_number', rankerOf(huge)],
    ['wrong_count', strange(() => new Float64Array(10_000))],
    ['wrong_count', strange(() => new Float64Array(0))],
    [
      'broken',
      strange(() => {
        throw new Error('out of order')
      }),
    ],
  ]
  for (const [fault, ranker] of cases) {
    const faults: RankerFault[] = []
    equal(withCircuitBreaker(ranker, { onFault: (it) => faults.push(it) }).scores(features, rows), undefined)
    deepEqual(faults, [fault])
  }
  ok(rankerOf(small).scores(features, rows)!.every(Number.isFinite))
})
