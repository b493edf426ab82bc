import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cooccurrenceOf } from './cooccurrence.ts'
import { easeGraph } from './ease.ts'
import { agesOf, rowWeights } from './row-ages.ts'
import { flatSequences, oldestFirst } from './sequences.ts'
import { binaryRows } from './sparse.ts'

const timed = (rows: number[][], times: number[]) => ({
  ...flatSequences(rows),
  times: Float64Array.from(times),
})

test('the age of a row is the share of the rows that are newer; rows of one time have the same age', () => {
  assert.deepEqual([...agesOf(timed([[1], [2], [3]], [10, 30, 20]))!], [1, 0, 0.5])
  assert.deepEqual([...agesOf(timed([[1], [2], [3]], [7, 7, 9]))!], [0.75, 0.75, 0])
  assert.deepEqual([...agesOf(oldestFirst([[1], [2]]))!], [1, 0])
})

test('rows without items do not age the others', () => {
  assert.deepEqual([...agesOf(timed([[1], [], [], [2]], [1, 2, 3, 4]))!], [1, 1, 1, 0])
})

test('absent or constant times, and a single row, give no ages', () => {
  assert.equal(agesOf(flatSequences([[1], [2]])), undefined)
  assert.equal(agesOf(timed([[1], [2], [3]], [5, 5, 5])), undefined)
  assert.equal(agesOf(timed([[1], [], []], [1, 2, 3])), undefined)
  assert.equal(agesOf(timed([], [])), undefined)
})

test('weights fall with age and have a mean of about 1', () => {
  const ages = Float64Array.from({ length: 1001 }, (_, at) => at / 1000)
  for (const rowFade of [0.5, 2, 6]) {
    const weights = rowWeights(ages, rowFade)
    assert.ok(Math.abs(weights[1000]! / weights[0]! - Math.exp(-rowFade)) < 1e-12)
    assert.ok(Math.abs(weights.reduce((sum, it) => sum + it, 0) / 1001 - 1) < 0.01)
  }
})

test('a row of weight 2 counts as two equal rows, in co-occurrence and in EASE', async () => {
  const rows = [
    [0, 1, 2],
    [1, 2],
    [0, 3],
  ]
  const once = binaryRows(rows, 4)
  const twice = binaryRows([...rows, [1, 2]], 4)
  const weights = Float64Array.of(1, 2, 1)
  const weighted = cooccurrenceOf(once, 0.5, { weights })
  const repeated = cooccurrenceOf(twice, 0.5)
  assert.deepEqual(weighted.graph, repeated.graph)
  assert.deepEqual([...weighted.counts], [...repeated.counts])
  const options = { lambda: 2, damping: 0.5, keep: 4, threads: 1 }
  const [a, b] = [await easeGraph(once, { ...options, weights }), await easeGraph(twice, options)]
  a.values.forEach((value, at) => assert.ok(Math.abs(value - b.values[at]!) < 1e-6))
})
