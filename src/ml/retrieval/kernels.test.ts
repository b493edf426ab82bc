import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../random.ts'
import { folding, ialsModel, ialsPlain } from './ials.ts'
import { dotsWith } from './factor-index.ts'
import { invert, invertPlain, workspaceFor, type Workspace } from './inverse.ts'
import { cooccurrenceOf } from './cooccurrence.ts'
import { ridgeGraph, ridgePlain, supportsOf } from './ridge.ts'
import { binaryRows, type Csr } from './sparse.ts'
import { addTo, copyRow } from './triangle.ts'

function randomRows(rows: number, items: number, chance: number): Csr {
  const random = seededRandom(11)
  const lists = Array.from({ length: rows }, () =>
    Array.from({ length: items }, (_, item) => item).filter((item) => random() < chance / (1 + item / 20)),
  )
  return binaryRows(lists, items)
}

function randomSymmetric(size: number): Workspace {
  const workspace = workspaceFor(size)
  const random = seededRandom(5)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < row; column++) addTo(workspace.triangle, row, column, random() - 0.5)
    addTo(workspace.triangle, row, row, size)
  }
  return workspace
}

function worstGap(a: ArrayLike<number>, b: ArrayLike<number>): number {
  assert.equal(a.length, b.length)
  let worst = 0
  for (let at = 0; at < a.length; at++) worst = Math.max(worst, Math.abs(a[at]! - b[at]!))
  return worst
}

for (const size of [1, 127, 300]) {
  test(`the swept inverse of ${size} rows equals the plain one within 1e-6`, async () => {
    const fast = randomSymmetric(size)
    const plain = randomSymmetric(size)
    await invert(fast, 1)
    invertPlain(plain.triangle)
    const [a, b] = [new Float32Array(size), new Float32Array(size)]
    for (let row = 0; row < size; row++) {
      copyRow(fast.triangle, row, a)
      copyRow(plain.triangle, row, b)
      assert.ok(worstGap(a, b) < 1e-6)
    }
  })
}

test('two threads invert to the same bytes as one', async () => {
  const [one, two] = [randomSymmetric(650), randomSymmetric(650)]
  await invert(one, 1)
  await invert(two, 2)
  assert.deepEqual(two.triangle.tiles, one.triangle.tiles)
})

test('a matrix that is not positive definite is refused, not inverted into nonsense', async () => {
  const workspace = workspaceFor(4)
  addTo(workspace.triangle, 2, 2, -1)
  await assert.rejects(invert(workspace, 1), /positive definite/)
  assert.throws(() => invertPlain(workspaceFor(2).triangle), /positive definite/)
})

const ials = { factors: 13, epochs: 3, unobserved: 0.05, regularisation: 0.02, scaling: 0.8, seed: 3 }

test('accelerated iALS equals the plain one within 1e-3', async () => {
  const rows = randomRows(150, 60, 0.5)
  const plain = ialsPlain(rows, { ...ials, threads: 1 })
  const one = await ialsModel(rows, { ...ials, threads: 1 })
  assert.ok(worstGap(one.items, plain.items) < 1e-3)
  assert.ok(worstGap(one.users, plain.users) < 1e-3)
})

test('two threads factorise and regress to the same bytes as one', async () => {
  const rows = randomRows(1500, 300, 0.4)
  const both = [1, 2].map((threads) => ialsModel(rows, { ...ials, factors: 64, epochs: 2, threads }))
  const [one, two] = await Promise.all(both)
  assert.deepEqual(two!.items, one!.items)
  assert.deepEqual(two!.users, one!.users)
  const meetings = cooccurrenceOf(rows, 0)
  const [alone, together] = await Promise.all(
    [1, 2].map((threads) => ridgeGraph(meetings, { lambda: 5, support: 150, threads })),
  )
  assert.deepEqual(together, alone)
})

test('folding a buyer in gives what one more solve of training would give, within 0.05', async () => {
  const rows = randomRows(150, 60, 0.5)
  const model = await ialsModel(rows, { ...ials, epochs: 12, threads: 1 })
  const history = rows.indices.slice(rows.offsets[5], rows.offsets[6])
  const own = model.users.subarray(5 * model.factors, 6 * model.factors)
  assert.ok(worstGap(folding(model)(history), own) < 0.05)
})

test('the accelerated ridge equals the plain one within 1e-4', async () => {
  const meetings = cooccurrenceOf(randomRows(300, 80, 0.4), 0.3)
  const options = { lambda: 1, support: 21, threads: 1 }
  const fast = await ridgeGraph(meetings, options)
  const plain = ridgePlain(meetings.graph, supportsOf(meetings.graph, options.support), options.lambda)
  assert.deepEqual(fast.indices, plain.indices)
  assert.ok(worstGap(fast.values, plain.values) < 1e-4)
})

test('the scan by dot product equals the plain one within 1e-5', () => {
  const random = seededRandom(2)
  const rows = Float32Array.from({ length: 64 * 100 }, () => random() - 0.5)
  const query = Float32Array.from({ length: 64 }, () => random() - 0.5)
  const plain = Array.from({ length: 100 }, (_, row) =>
    query.reduce((sum, value, at) => sum + value * rows[row * 64 + at]!, 0),
  )
  assert.ok(worstGap(dotsWith(rows, 64)(query, 0, rows.length / 64), plain) < 1e-5)
})
