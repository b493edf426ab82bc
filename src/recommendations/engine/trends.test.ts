import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { rowOf } from '../ml/retrieval/sparse.ts'
import { placeKey, trendsOf } from './trends.ts'

const buyersAt = (counts: Record<string, number>): Map<string | null, number[]> => {
  let next = 0
  return new Map(
    Object.entries(counts).map(([place, count]) => [place, Array.from({ length: count }, () => next++)]),
  )
}

test('a place leads with what is sought after there, and hides nothing of the rest', () => {
  const everywhere = Float64Array.of(1_000, 800, 600, 0)
  const trends = trendsOf(everywhere, buyersAt({ samarqand: 20 }), () => Float64Array.of(0, 0, 600, 0))
  const weights = trends.weights.values
  deepEqual([...rowOf(trends.weights, 0)], [0, 1, 2])
  ok(weights[2]! > weights[0]! && weights[0]! > weights[1]!)
})

test('what little is known of a place moves nothing much', () => {
  const everywhere = Float64Array.of(1_000, 990, 10)
  const { values } = trendsOf(everywhere, buyersAt({ nurota: 10 }), () => Float64Array.of(0, 0, 5)).weights
  ok(values[0]! > values[1]! && values[1]! > values[2]!)
})

test('a few buyers are no place, nobody’s place is none, and the largest come first', () => {
  const at = new Map([...buyersAt({ a: 9, b: 10, d: 12, c: 12 }), [null, [70, 71, 72]] as const])
  const { places, weights } = trendsOf(Float64Array.of(1), at, () => Float64Array.of(1))
  deepEqual(places, ['c', 'd', 'b'])
  equal(weights.rows, 3)
})

test('one place has one spelling', () => {
  equal(placeKey('  Toshkent   SHAHRI '), placeKey('toshkent shahri'))
  equal(placeKey('Я'.repeat(500)).length, 100)
})
