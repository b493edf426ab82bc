import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { freshAt } from './replica.ts'

const samples = [
  { position: 100, atMs: 1_000 },
  { position: 100, atMs: 2_000 },
  { position: 250, atMs: 3_000 },
]

test('a replica is as fresh as the last position that it has applied', () => {
  equal(freshAt(samples, 250), 3_000)
  equal(freshAt(samples, 400), 3_000)
  equal(freshAt(samples, 249), 2_000)
})

test('a replica that applied nothing that was seen on the primary is not fresh', () => {
  equal(freshAt(samples, 99), -Infinity)
  equal(freshAt([], 99), -Infinity)
})
