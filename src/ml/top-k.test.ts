import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from './random.ts'
import { bestIds, topK } from './top-k.ts'

test('the best come first and equal scores stand by id', () => {
  assert.deepEqual([...topK([1, 3, 3, 2, 3], 4).ids], [1, 2, 4, 3])
})

test('candidates in any order give the same list', () => {
  const scores = [1, 3, 3, 2, 3]
  assert.deepEqual([...topK(scores, 2, { candidates: [4, 2, 0, 1] }).ids], [1, 2])
})

test('what must be skipped and what is not a number never appear', () => {
  assert.deepEqual([...topK([Number.NaN, 5, 4, Number.NaN, 3], 3, { skip: (id) => id === 1 }).ids], [2, 4])
})

test('fewer candidates than asked give a shorter list', () => {
  assert.deepEqual([...topK([2], 5).ids], [0])
  assert.deepEqual([...topK([], 5).ids], [])
  assert.deepEqual([...topK([1, 2], 0).ids], [])
})

test('the heap agrees with a full sort on random scores full of ties', () => {
  const random = seededRandom(7)
  for (let round = 0; round < 50; round++) {
    const scores = Float32Array.from({ length: 200 }, () => Math.floor(random() * 20))
    const expected = Array.from(scores, (_, id) => id)
      .toSorted((a, b) => scores[b]! - scores[a]! || a - b)
      .slice(0, 25)
    assert.deepEqual([...topK(scores, 25).ids], expected)
  }
})

test('the best ids without their order are those of the ordered list', () => {
  const random = seededRandom(11)
  for (let round = 0; round < 200; round++) {
    const scores = Float32Array.from({ length: 1 + round }, () =>
      random() < 0.1 ? Number.NaN : Math.floor(random() * 12) - 6,
    )
    const candidates = Array.from(scores.keys())
      .filter(() => random() < 0.7)
      .toSorted((a, b) => ((a * 7_919) % 101) - ((b * 7_919) % 101))
    for (const k of [0, 1, 5, round, 300]) {
      assert.deepEqual(bestIds(scores, k), topK(scores, k).ids.toSorted())
      assert.deepEqual(bestIds(scores, k, { candidates }), topK(scores, k, { candidates }).ids.toSorted())
    }
  }
})
