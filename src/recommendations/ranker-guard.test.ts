import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { columnsFor, featureNames } from './engine/features.ts'
import { type Ranker, rankerOf } from './engine/ranker.ts'
import { seededNormal } from './ml/random.ts'
import type { SymmetricForest, TreeModel } from './ml/trees/model.ts'
import { trainTrees } from './ml/trees/train.ts'
import { guarded, type RankerFault } from './ranker-guard.ts'

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

/** A forest like this one, so many times over. */
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

test('a ranker that works is asked, and what it says is taken', () => {
  const told: RankerFault[] = []
  const ranker = guarded(rankerOf(small), { tell: (fault) => told.push(fault) })
  deepEqual(ranker.scores(features, rows), rankerOf(small).scores(features, rows))
  deepEqual(told, [])
})

test('a ranker that is asked for a few rows at a time says the same', () => {
  const deep = repeated(forestOf(10, 3), 2_000)
  const inParts = rankerOf(deep).scores(features, 30)
  const alone = Float64Array.from({ length: 30 }, (_, row) => {
    const one = features.map((it) => it.subarray(row, row + 1))
    return rankerOf(deep).scores(one, 1)![0]!
  })
  deepEqual(inParts, alone)
})

test('a ranker that takes too long is given up, and rests for a while', () => {
  const told: RankerFault[] = []
  let nowMs = 0
  const slow = repeated(forestOf(10, 3), 2_000)
  const ranker = guarded(rankerOf(slow), {
    tell: (fault) => told.push(fault),
    budgetMs: 100,
    now: () => (nowMs += 60),
  })
  equal(ranker.scores(features, rows), undefined)
  const gaveUpMs = nowMs
  equal(ranker.scores(features, rows), undefined)
  equal(nowMs, gaveUpMs + 60, 'it was not even tried')
  nowMs += 60_000
  equal(ranker.scores(features, rows), undefined)
  deepEqual(told, ['late', 'late'])
})

test('scores that are no numbers, too many of them, and a ranker that breaks are no order', () => {
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
    const told: RankerFault[] = []
    equal(guarded(ranker, { tell: (it) => told.push(it) }).scores(features, rows), undefined)
    deepEqual(told, [fault])
  }
  ok(rankerOf(small).scores(features, rows)!.every(Number.isFinite))
})
