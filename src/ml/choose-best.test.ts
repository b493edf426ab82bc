import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooserFor, type Field } from './choose-best.ts'
import { seededRandom } from './random.ts'

/** Scores by item; slots stand in another order than items. */
function fieldOf(scores: readonly number[]): Field {
  const size = scores.length
  const items = new Int32Array(size + 1)
  const bySlot = new Float64Array(size + 1)
  scores.forEach((score, item) => {
    items[size - item] = item
    bySlot[size - item] = score
  })
  return { items, scores: bySlot, size }
}

const anything = () => true

test('the best come first, equal scores by the smaller item, and no score is none', () => {
  const { ids, scores } = chooserFor(7)(fieldOf([1, 3, 0, 3, -2, 2, Number.NaN]), 7, anything)
  assert.deepEqual([...ids], [1, 3, 5, 0])
  assert.deepEqual([...scores], [3, 3, 2, 1])
})

test('scores that differ by less than a step stand in their order', () => {
  const scores = Array.from({ length: 100 }, (_, item) => 1 + ((item * 37) % 100) / 1e6)
  const { ids } = chooserFor(100)(fieldOf(scores), 100, anything)
  assert.deepEqual(
    [...ids],
    scores.map((_, item) => item).toSorted((a, b) => scores[b]! - scores[a]!),
  )
})

test('it agrees with a full sort on scores of all sizes, full of ties, where some are not taken', () => {
  const random = seededRandom(7)
  const choose = chooserFor(500)
  for (let round = 0; round < 60; round++) {
    const scores = Array.from(
      { length: 1 + Math.floor(random() * 500) },
      () => Math.floor(random() * 40) * 10 ** Math.floor(random() * 12 - 6),
    )
    const takes = (item: number) => (item * 7 + round) % 5 !== 0
    const expected = scores
      .map((_, item) => item)
      .filter((item) => scores[item]! > 0 && takes(item))
      .toSorted((a, b) => scores[b]! - scores[a]! || a - b)
      .slice(0, 60)
    assert.deepEqual([...choose(fieldOf(scores), 60, takes).ids], expected)
  }
})

test('no more are asked for than stand above the last that is taken', () => {
  const asked: number[] = []
  const scores = Array.from({ length: 1_000 }, (_, item) => 1_000 - item)
  chooserFor(1_000)(fieldOf(scores), 10, (item) => asked.push(item) > 0 && item % 2 === 1)
  assert.deepEqual(
    asked,
    Array.from({ length: 20 }, (_, item) => item),
  )
})
