import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawValues } from './apply.ts'
import { contributions } from './contributions.ts'
import { featureImportance } from './importance.ts'
import { quantiseRows } from './quantise.ts'
import { sampleData } from './sample-data.ts'
import { trainTrees } from './train.ts'

const train = sampleData(500, 11)
const { model } = trainTrees(train, { loss: 'Logloss', iterations: 25, depth: 5, permutations: 1 })
const rows = sampleData(40, 12)
const bins = quantiseRows(model, rows.columns)

test('the expected value and the contributions sum to the prediction', () => {
  const { expected, values } = contributions(model, bins)
  rawValues(model, bins).forEach((raw, row) => {
    const sum = values.subarray(row * 7, row * 7 + 7).reduce((total, value) => total + value, expected)
    assert.ok(Math.abs(sum - raw) < 1e-9)
  })
})

test('the expected value is the mean prediction of a model without target statistics', () => {
  const columns = { ...train.columns, categories: [] }
  const plain = trainTrees(
    { columns, labels: train.labels },
    { loss: 'RMSE', iterations: 20, depth: 4 },
  ).model
  const quantised = quantiseRows(plain, columns)
  const raw = rawValues(plain, quantised)
  const mean = raw.reduce((sum, value) => sum + value, 0) / raw.length
  assert.ok(Math.abs(contributions(plain, quantised).expected - mean) < 1e-9)
})

test('importance sums to a hundred and finds the features that matter', () => {
  const importance = featureImportance(model)
  assert.ok(Math.abs(importance.reduce((sum, value) => sum + value, 0) - 100) < 1e-9)
  assert.ok(importance[0]! > 2 * importance[4]!)
  assert.ok(importance[2]! > 2 * importance[3]!)
})
