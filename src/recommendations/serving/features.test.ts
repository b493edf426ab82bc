import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { rankWriter } from './features.ts'

const ranksOf = (shares: number[]): number[] => {
  const ranks = new Float32Array(shares.length)
  rankWriter(100)(Float32Array.from(shares), ranks)
  return [...ranks]
}

test('a rank says how many stand above, and equals share it', () => {
  deepEqual(ranksOf([0.5, 1, 0.25, 0.5]), [1, 0, 3, 1])
})

test('what a source did not propose comes after all that it did', () => {
  deepEqual(ranksOf([0, 0.001, 0, 1]), [2, 1, 2, 0])
  deepEqual(ranksOf([0, 0]), [0, 0])
  deepEqual(ranksOf([-0.3, 0.2]), [1, 0])
  deepEqual(ranksOf([]), [])
})

test('a writer that has written before starts afresh', () => {
  const write = rankWriter(10)
  const ranks = new Float32Array(2)
  write(Float32Array.of(1, 1, 1, 1), new Float32Array(4))
  write(Float32Array.of(0.1, 1), ranks)
  deepEqual([...ranks], [1, 0])
})
