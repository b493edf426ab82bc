import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededNormal, seededRandom } from '../random.ts'
import { exactItems, factorIndex, factorIndexOf, factorSearch } from './factor-index.ts'

const k = 16
const items = 12_000

/** Factors in groups of different sizes and norms. */
function grouped(seed: number): { factors: Float32Array; queries: Float32Array[] } {
  const [random, normal] = [seededRandom(seed), seededNormal(seed)]
  const centres = Array.from({ length: 40 }, () => Float32Array.from({ length: k }, normal))
  const factors = new Float32Array(items * k)
  for (let item = 0; item < items; item++) {
    const [centre, norm] = [centres[Math.floor(40 * random() ** 2)]!, 0.1 + random() ** 6]
    for (let at = 0; at < k; at++) factors[item * k + at] = norm * (centre[at]! + 0.5 * normal())
  }
  const queries = Array.from({ length: 100 }, () => {
    const [one, other] = [0, 0].map(() => centres[Math.floor(40 * random())]!)
    return Float32Array.from({ length: k }, (_, at) => one![at]! + 0.5 * other![at]!)
  })
  return { factors, queries }
}

test('the index finds nearly all of the exact answers and scores them the same', () => {
  const { factors, queries } = grouped(7)
  const [exact, approximate] = [factorSearch(factors, k), factorSearch(factors, k, factorIndex(factors, k))]
  let found = 0
  for (const query of queries) {
    const best = exact(query, 50)
    const scoreOf = new Map(Array.from(best.ids, (id, at) => [id, best.scores[at]!]))
    const list = approximate(query, 50)
    assert.equal(new Set(list.ids).size, 50)
    list.ids.forEach((id, at) => {
      if (!scoreOf.has(id)) return
      found++
      assert.ok(Math.abs(scoreOf.get(id)! - list.scores[at]!) < 1e-4)
    })
  }
  assert.ok(found / (50 * queries.length) > 0.95, String(found))
})

test('every item is in exactly one cell, and the same factors give the same index', () => {
  const { factors } = grouped(8)
  const index = factorIndex(factors, k)
  assert.deepEqual(
    index.members.toSorted(),
    Int32Array.from({ length: items }, (_, item) => item),
  )
  assert.equal(index.offsets.at(-1), items)
  assert.deepEqual(factorIndex(factors, k), index)
})

test('zeros, one item and items alike give a full list', () => {
  const lists: [items: number, value: number][] = [
    [1, 1],
    [5_000, 0],
    [5_000, 0.5],
  ]
  for (const [count, value] of lists) {
    const factors = new Float32Array(count * 8).fill(value)
    const list = factorSearch(factors, 8, factorIndex(factors, 8))(new Float32Array(8).fill(1), 10)
    assert.equal(list.ids.length, Math.min(10, count))
    assert.ok(list.scores.every((score) => Math.abs(score - 8 * value) < 1e-5))
  }
})

test('few items are scanned, many have an index', () => {
  assert.equal(factorIndexOf(new Float32Array(8 * exactItems), 8), undefined)
  const factors = new Float32Array(8 * (exactItems + 1)).fill(1)
  assert.ok(factorIndexOf(factors, 8))
})
