import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEvaluator } from './apply-kernel.ts'
import { rawValues } from './apply.ts'
import { seededRandom } from '../random.ts'
import { lossOf } from './losses.ts'
import { ModelError } from './model-error.ts'
import { parseModel } from './parse-model.ts'
import { quantiseRows } from './quantise.ts'
import { sampleData, sampleQueries } from './sample-data.ts'
import { trainTrees, type TrainData } from './train.ts'
import type { TrainOptions } from './train-options.ts'
import { writtenModel } from './write-model.ts'

const quick: Partial<TrainOptions> = {
  loss: 'Logloss',
  iterations: 30,
  learningRate: 0.2,
  depth: 5,
  permutations: 2,
}
const train = sampleData(600, 1)
const check = sampleData(400, 2)

function written(data: TrainData, options: Partial<TrainOptions>): string {
  return writtenModel(trainTrees(data, { ...quick, ...options }).model)
}

test('the kernel and its plain twin train the same bytes', () => {
  for (const options of [
    {},
    { bootstrap: { kind: 'Bernoulli', share: 0.6 } as const, score: 'L2' as const, featureShare: 0.6 },
    { bootstrap: { kind: 'No' } as const, randomStrength: 0, oneHotMaxSize: 40, nanMode: 'Max' as const },
    { matchNewRows: true },
  ]) {
    assert.equal(
      written(train, { ...options, engine: 'kernel' }),
      written(train, { ...options, engine: 'plain' }),
    )
  }
})

test('one thread and two train the same bytes', () => {
  assert.equal(written(train, { threads: 1 }), written(train, { threads: 2 }))
})

test('the same seed gives the same bytes and another seed gives others', () => {
  assert.equal(written(train, { seed: 5 }), written(train, { seed: 5 }))
  assert.notEqual(written(train, { seed: 5 }), written(train, { seed: 6 }))
})

test('training learns what the table hides, categories and missing values included', () => {
  const { model, errors } = trainTrees(train, { ...quick, iterations: 120 }, { validation: check })
  const values = createEvaluator(model).values(check.columns)
  const targets = { labels: check.labels, weights: undefined, queries: undefined }
  const error = lossOf('Logloss').error(targets, values)
  assert.ok(error < 0.45, `log-loss ${error}`)
  assert.ok(Math.abs(error - errors.at(-1)!) < 1e-9)
  assert.ok(model.ctrs.some(({ table }) => model.tables[table]!.elements.length === 2))
})

test('the validation curve is the error of the finished model, also with many borders and exact counts', () => {
  for (const options of [{ ctrBorderCount: 63 }, { matchNewRows: true }]) {
    const { model, errors } = trainTrees(train, { ...quick, ...options }, { validation: check })
    const targets = { labels: check.labels, weights: undefined, queries: undefined }
    const error = lossOf('Logloss').error(targets, createEvaluator(model).values(check.columns))
    assert.ok(Math.abs(error - errors.at(-1)!) < 1e-9, `${error} after ${errors.at(-1)}`)
  }
})

test('exact counts leave the row itself out and are used where frequency decides', () => {
  const random = seededRandom(4)
  const hashes = Int32Array.from({ length: 900 }, (_, row) => (row < 300 ? row : 300 + Math.floor(row / 3)))
  const columns = { rows: 900, floats: [], categories: [hashes] }
  const labels = Float64Array.from({ length: 900 }, (_, row) => (row < 300 === random() < 0.95 ? 1 : 0))
  const { model } = trainTrees({ columns, labels }, { ...quick, matchNewRows: true, maxCtrComplexity: 1 })
  const counter = model.ctrs.find(({ type, borders }) => type === 'Counter' && borders.includes(1))
  assert.ok(counter, 'a border between no other row and two')
  const fresh = { rows: 2, floats: [], categories: [Int32Array.of(-5, 400)] }
  const [unseen, known] = createEvaluator(model).values(fresh)
  assert.ok(unseen! > 1 && known! < -1, `${unseen} and ${known}`)
})

test('a category under other names adds no statistics where training rows resemble new ones', () => {
  const renamed = ({ columns, labels }: TrainData): TrainData => {
    const [cities, shops] = columns.categories
    return { columns: { ...columns, categories: [cities!, shops!, shops!.map((hash) => ~hash)] }, labels }
  }
  const options = { ...quick, matchNewRows: true, maxCtrComplexity: 3, featureShare: 0.5 }
  const once = createEvaluator(trainTrees(train, options).model).values(check.columns)
  const twice = createEvaluator(trainTrees(renamed(train), options).model).values(renamed(check).columns)
  assert.deepEqual(twice, once)
})

test('a written model reads back to the same values', () => {
  for (const options of [{}, { oneHotMaxSize: 40 }, { nanMode: 'Max' as const }, { matchNewRows: true }]) {
    const { model } = trainTrees(train, { ...quick, ...options })
    const again = parseModel(writtenModel(model))
    assert.deepEqual(
      rawValues(again, quantiseRows(again, check.columns)),
      rawValues(model, quantiseRows(model, check.columns)),
    )
    assert.equal(writtenModel(again), writtenModel(model))
  }
})

test('the first tree of RMSE without randomness is what a pencil finds', () => {
  const columns = { rows: 4, floats: [Float32Array.of(1, 2, 3, 4)], categories: [] }
  const { model } = trainTrees(
    { columns, labels: Float64Array.of(0, 0, 10, 10) },
    {
      loss: 'RMSE',
      iterations: 1,
      depth: 1,
      l2: 0,
      learningRate: 1,
      randomStrength: 0,
      bootstrap: { kind: 'No' },
    },
  )
  assert.deepEqual([...model.floats[0]!.borders], [2.5])
  assert.deepEqual([...rawValues(model, quantiseRows(model, columns))], [0, 0, 10, 10])
})

test('early stopping keeps the trees up to the best one', () => {
  const noisy = sampleData(200, 3, 3)
  const options = { ...quick, iterations: 200, learningRate: 0.5, earlyStoppingRounds: 10 }
  const { model, errors } = trainTrees(noisy, options, { validation: check })
  const best = errors.indexOf(Math.min(...errors))
  assert.ok(errors.length < 200)
  assert.equal(model.forest.kind === 'symmetric' && model.forest.depths.length, best + 1)
})

test('training stops after the requested tree, and the model contains the trees so far', () => {
  const { model } = trainTrees(train, quick, { shouldContinue: (grown) => grown < 5 })
  assert.equal(model.forest.kind === 'symmetric' && model.forest.depths.length, 5)
  const short = trainTrees(train, { ...quick, iterations: 5 }).model
  assert.equal(
    JSON.stringify([...rawValues(model, quantiseRows(model, check.columns))]),
    JSON.stringify([...rawValues(short, quantiseRows(short, check.columns))]),
  )
})

test('ranking losses order rows within queries', () => {
  const rows = sampleQueries(600, 4)
  const other = sampleQueries(300, 5)
  for (const loss of ['YetiRank', 'QueryRMSE', 'LambdaMart'] as const) {
    const { model } = trainTrees(rows, { ...quick, loss, iterations: 60 })
    const values = createEvaluator(model).values(other.columns)
    const targets = { labels: other.labels, weights: undefined, queries: other.queries }
    const ndcg = -lossOf(loss).error(targets, values)
    const unordered = -lossOf(loss).error(targets, new Float64Array(300))
    assert.ok(ndcg > unordered + 0.1, `${loss}: ${ndcg} after ${unordered}`)
  }
})

test('a row weighed zero teaches nothing', () => {
  const weights = new Float64Array(600).fill(1)
  const spoilt = Float64Array.from(train.labels)
  for (let row = 0; row < 600; row += 5) {
    weights[row] = 0
    spoilt[row] = 1 - spoilt[row]!
  }
  const columns = { ...train.columns, categories: [] }
  const options = { bootstrap: { kind: 'No' } as const, randomStrength: 0 }
  assert.equal(
    written({ columns, labels: spoilt, weights }, options),
    written({ columns, labels: train.labels, weights }, options),
  )
})

test('constant features, one row and one class give a constant and finite answer', () => {
  const flat = { rows: 3, floats: [Float32Array.of(7, 7, 7)], categories: [Int32Array.of(1, 1, 1)] }
  const single = { rows: 1, floats: [Float32Array.of(7)], categories: [Int32Array.of(1)] }
  for (const [columns, labels] of [
    [flat, Float64Array.of(0, 1, 1)],
    [single, Float64Array.of(1)],
    [flat, Float64Array.of(1, 1, 1)],
  ] as const) {
    const { model } = trainTrees({ columns, labels }, quick)
    const values = rawValues(model, quantiseRows(model, columns))
    assert.ok(values.every((value) => Number.isFinite(value) && value === values[0]))
  }
})

test('infinities are learnt like other values, the lower one together with missing values', () => {
  const { POSITIVE_INFINITY: up, NEGATIVE_INFINITY: down, NaN: none } = Number
  const columns = { rows: 6, floats: [Float32Array.of(up, down, none, up, down, none)], categories: [] }
  const labels = Float64Array.of(1, 0, 0, 1, 0, 0)
  const options = { loss: 'RMSE', iterations: 50, l2: 0, randomStrength: 0, learningRate: 0.5 } as const
  const { model } = trainTrees({ columns, labels }, options)
  const values = createEvaluator(model).values(columns)
  values.forEach((value, row) =>
    assert.ok(Math.abs(value - labels[row]!) < 0.01, `${value} for ${labels[row]}`),
  )
})

test('a category never seen in training gets a finite answer', () => {
  const { model } = trainTrees(train, quick)
  const columns = {
    rows: 1,
    floats: Array.from({ length: 5 }, () => Float32Array.of(0)),
    categories: [Int32Array.of(12345), Int32Array.of(-9)],
  }
  assert.ok(Number.isFinite(createEvaluator(model).values(columns)[0]))
})

test('unusable data and options are refused with a sentence', () => {
  const columns = { rows: 2, floats: [Float32Array.of(1, 2)], categories: [] }
  const none = { rows: 0, floats: [], categories: [] }
  const labels = Float64Array.of(0, 1)
  const refused: [TrainData, Partial<TrainOptions>, RegExp][] = [
    [{ columns: none, labels: new Float64Array(0) }, {}, /no rows/],
    [{ columns, labels: Float64Array.of(1) }, {}, /1 labels for 2 rows/],
    [{ columns, labels: Float64Array.of(Number.NaN, 1) }, {}, /not a finite number/],
    [{ columns, labels: Float64Array.of(0, 3) }, { loss: 'Logloss' }, /from 0 to 1/],
    [{ columns, labels }, { loss: 'YetiRank' }, /grouped by query/],
    [{ columns, labels, queries: Int32Array.of(0, 1) }, { loss: 'YetiRank' }, /end after the last row/],
    [{ columns, labels }, { depth: 40 }, /depth is 40/],
    [{ columns, labels }, { learningRate: Number.NaN }, /learningRate is NaN/],
  ]
  for (const [data, options, words] of refused) {
    assert.throws(
      () => trainTrees(data, options),
      (error) => error instanceof ModelError && words.test(error.message),
    )
  }
})
