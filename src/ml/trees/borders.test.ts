import assert from 'node:assert/strict'
import { test } from 'node:test'
import { featureBorders, missingAbove, missingBelow } from './borders.ts'
import { bordersBelow } from './quantise.ts'

test('few distinct values are all separated, halfway between neighbours', () => {
  assert.deepEqual([...featureBorders(Float32Array.of(3, 1, 2, 2, 1), 10)], [1.5, 2.5])
})

test('borders cut the values into parts of like size', () => {
  const values = Float32Array.from({ length: 1024 }, (_, i) => i)
  const borders = featureBorders(values, 7)
  assert.deepEqual([...borders], [127.5, 255.5, 383.5, 511.5, 639.5, 767.5, 895.5])
})

test('a heavy value gets a part of its own', () => {
  const values = Float32Array.from({ length: 100 }, (_, i) => (i < 60 ? 5 : i))
  assert.ok(featureBorders(values, 3).includes(32.5))
})

test('one border is spent on missing values when there are any', () => {
  const values = Float32Array.of(1, Number.NaN, 2, 3)
  assert.deepEqual([...featureBorders(values, 2, 'Min')], [missingBelow, 1.5])
  assert.equal(featureBorders(values, 2, 'Max').at(-1), missingAbove)
})

test('nothing, one value and only missing values have no border between values', () => {
  assert.equal(featureBorders(new Float32Array(0), 8).length, 0)
  assert.equal(featureBorders(Float32Array.of(4, 4, 4), 8).length, 0)
  assert.deepEqual([...featureBorders(Float32Array.of(Number.NaN), 8)], [missingBelow])
})

test('a value is above the borders strictly below it', () => {
  const borders = Float32Array.of(1, 2, 3, 4, 5)
  for (let value = 0; value <= 6; value += 0.5) {
    assert.equal(bordersBelow(borders, value), borders.filter((border) => value > border).length)
  }
  assert.equal(bordersBelow(borders, Number.NaN), 0)
  assert.equal(bordersBelow(new Float32Array(0), 1), 0)
})
