import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreSorter } from './sort-by-score.ts'
import { seededRandom } from './random.ts'

test('it agrees with a sort by comparing, for every count and many ties', () => {
  const random = seededRandom(3)
  const sort = scoreSorter(300)
  for (let count = 0; count <= 300; count++) {
    const ids = Int32Array.from({ length: count }, (_, at) => at).sort(() => random() - 0.5)
    const scores = Float64Array.from(ids, () => Math.floor(random() * 30) - 10)
    const expected = Array.from(ids, (id, at) => ({ id, score: scores[at]! })).toSorted(
      (a, b) => b.score - a.score || a.id - b.id,
    )
    sort(ids, scores, count)
    assert.deepEqual(
      Array.from(ids, (id, at) => ({ id, score: scores[at]! })),
      expected,
    )
  }
})

test('what stands behind the count stays as it was', () => {
  const ids = Int32Array.of(3, 1, 2, 9)
  const scores = Float64Array.of(1, 5, 3, 99)
  scoreSorter(4)(ids, scores, 3)
  assert.deepEqual([...ids], [1, 2, 3, 9])
  assert.deepEqual([...scores], [5, 3, 1, 99])
})
