// Explanations of factors cost little where serving has computed something before, and are those of the plain computation.

import { deepEqual, equal, notDeepEqual, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../random.ts'
import { gramOf } from './factor-index.ts'
import { type FoldedModel, folding, historySolver, ialsExplainer } from './ials.ts'
import { solveSymmetric } from './solve.ts'

const [count, k] = [50, 16]
const random = seededRandom(5)
const items = Float32Array.from({ length: count * k }, () => random() - 0.5)
const options = { unobserved: 0.05, regularisation: 0.02, scaling: 0.8 }
const model: FoldedModel = { factors: k, items, options }

/** The dot products of the items of a history with W⁻¹ times an item, with W summed up entry by entry. */
function plainReasons(history: readonly number[], item: number): Map<number, number> {
  const { unobserved, regularisation, scaling } = options
  const rowOf = (it: number) => items.subarray(it * k, (it + 1) * k)
  const matrix = new Float64Array(k * k)
  const add = (it: number, weight: number) => {
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++) matrix[i * k + j]! += weight * rowOf(it)[i]! * rowOf(it)[j]!
  }
  for (let it = 0; it < count; it++) add(it, unobserved)
  for (const it of history) add(it, 1)
  for (let i = 0; i < k; i++)
    matrix[i * k + i]! += regularisation * (history.length + unobserved * count) ** scaling
  const solved = solveSymmetric(matrix, Float64Array.from(rowOf(item)))
  return new Map(
    history.map((it) => [it, rowOf(it).reduce((sum, value, at) => sum + value * solved[at]!, 0)]),
  )
}

test('reasons are those of the plain computation, for histories in turn and repeated', () => {
  const explain = ialsExplainer(model)
  const histories = [
    [1, 2, 3],
    [4, 9],
    [1, 2, 3],
    [1, 2],
    [1, 2, 4],
    [49],
    Array.from({ length: count }, (_, it) => it),
  ]
  for (const history of histories)
    for (const item of [0, 2, 49]) {
      const plain = plainReasons(history, item)
      const reasons = explain(history, item)
      equal(reasons.length, plain.size)
      for (const { from, added } of reasons)
        ok(Math.abs(added - plain.get(from!)!) < 1e-9, `${history} ${item} ${from}`)
      deepEqual(explain(history.toReversed(), item), reasons)
    }
})

test('the system of a history is factorised once for all items that it explains', () => {
  const solverOf = historySolver(model)
  const solver = solverOf(Int32Array.of(1, 2, 3))
  equal(solverOf(Int32Array.of(1, 2, 3)), solver)
  for (const other of [
    [1, 2],
    [1, 2, 4],
    [1, 2, 3, 4],
  ])
    notEqual(solverOf(Int32Array.from(other)), solver)
})

test('the outer products of items are summed up once for serving and explaining', () => {
  const known: FoldedModel = { ...model, gram: gramOf(items, k) }
  const history = Int32Array.of(1, 2, 3)
  deepEqual(folding(known)(history), folding(model)(history))
  deepEqual(ialsExplainer(known)(history, 9), ialsExplainer(model)(history, 9))
  // Without the sum every item is read, with it only those of the history.
  const others = items.slice()
  others.fill(7, 20 * k)
  const changed = { ...known, items: others }
  deepEqual(folding(changed)(history), folding(model)(history))
  notDeepEqual(folding({ ...changed, gram: undefined })(history), folding(model)(history))
})

test('a sum of outer products is symmetric and equals the plain one', () => {
  const plain = new Float64Array(k * k)
  for (let item = 0; item < count; item++)
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++) plain[i * k + j]! += items[item * k + i]! * items[item * k + j]!
  deepEqual(gramOf(items, k), plain)
})
