import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededNormal, seededRandom } from '../random.ts'
import { type Ranked, topK } from '../top-k.ts'
import { dotsWith } from './factor-index.ts'
import { factorScan } from './factor-scan.ts'

const random = seededRandom(5)
const normal = seededNormal(5)

/** How the rows of a model may look, and queries for them. */
const makers: Record<string, (value: () => number, row: number) => number> = {
  'of equal norms': (value) => value(),
  'of falling norms': (value, row) => value() / (1 + row / 50),
  'of few different values, with many ties': (value) => Math.round(value()),
  'that are all zero': () => 0,
  'that are mostly zero': (value, row) => (row % 9 === 0 ? value() : 0),
  'of one large value each': (value) => (random() < 0.02 ? 1e4 * value() : 1e-3 * value()),
  'too small and too large for a bound': (value, row) => value() * 10 ** ((row % 41) - 20),
  'too small for single floats': (value) => 1e-39 * value(),
  'with values that are no numbers': (value, row) =>
    row % 13 === 0 && random() < 0.1 ? [Number.NaN, Infinity, -Infinity][row % 3]! : value(),
}

const rowsOf = (count: number, k: number, value: (row: number) => number): Float32Array =>
  Float32Array.from({ length: count * k }, (_, at) => value(Math.floor(at / k)))

/** The list without any bound. */
function plainBest(items: Float32Array, query: Float32Array, most: number, members?: Int32Array): Ranked {
  const products = dotsWith(items, query.length)(query, 0, items.length / query.length)
  return topK(products, most, members && { candidates: members })
}

for (const [name, make] of Object.entries(makers))
  test(`lists of rows ${name} equal those of all products, to the bit`, () => {
    for (const [count, k] of [
      [1, 8],
      [700, 8],
      [2_500, 64],
      [900, 136],
    ] as const) {
      const items = rowsOf(count, k, (row) => make(normal, row))
      const scan = factorScan(items, k)
      for (let round = 0; round < 12; round++) {
        const size = round === 11 ? 0 : 10 ** ((round % 5) - 2)
        const query = rowsOf(1, k, (row) => size * make(normal, row + round))
        for (const most of [0, 1, 20, 300, count + 1])
          assert.deepEqual(scan(query, most, [0]), plainBest(items, query, most))
      }
    }
  })

test('a query near one of the rows, a huge one and one that is no number give the same lists', () => {
  const k = 64
  const items = rowsOf(3_000, k, (row) => normal() / (1 + row / 100))
  const scan = factorScan(items, k)
  const queries = [
    ...Array.from({ length: 40 }, (_, row) => items.slice(row * 70 * k, (row * 70 + 1) * k)),
    rowsOf(1, k, () => 1e30 * normal()),
    rowsOf(1, k, () => 1e-30 * normal()),
    rowsOf(1, k, () => Number.NaN),
  ]
  for (const query of queries) assert.deepEqual(scan(query, 100, [0]), plainBest(items, query, 100))
})

test('the first lists, made before all rows have codes, equal the later ones', () => {
  const [count, k] = [30_000, 8]
  const items = rowsOf(count, k, (row) => Math.round(4 * normal()) / (1 + (row % 5)))
  const query = rowsOf(1, k, () => normal())
  const scan = factorScan(items, k)
  const expected = plainBest(items, query, count)
  for (let time = 0; time < 20; time++) assert.deepEqual(scan(query, count, [0]), expected)
})

test('groups of rows are searched alone and together', () => {
  const [count, k] = [4_000, 32]
  const items = rowsOf(count, k, (row) => normal() * (1 + (row % 7)))
  const members = Int32Array.from({ length: count }, (_, at) => (at * 1_237) % count)
  const offsets = Int32Array.of(0, 10, 10, 900, 2_500, count)
  const scan = factorScan(items, k, { offsets, members })
  for (let round = 0; round < 32; round++) {
    const query = rowsOf(1, k, () => normal())
    const some = [0, 1, 2, 3, 4].filter((group) => (round >> group) & 1)
    const among = some.flatMap((group) => [...members.subarray(offsets[group], offsets[group + 1])])
    assert.deepEqual(scan(query, 50, some), plainBest(items, query, 50, Int32Array.from(among)))
  }
})
