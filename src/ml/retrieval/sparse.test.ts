import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cooccurrenceOf } from './cooccurrence.ts'
import { binaryRows, rowOf, RowWriter, transposed } from './sparse.ts'
import { walkGraph } from './walks.ts'

test('an item named twice in a row counts once, and rows are sorted', () => {
  const matrix = binaryRows([[3, 1, 3], [], [0]], 4)
  assert.deepEqual([...rowOf(matrix, 0)], [1, 3])
  assert.deepEqual([...matrix.offsets], [0, 2, 2, 3])
})

test('an item outside the catalog is refused with its row', () => {
  assert.throws(() => binaryRows([[0], [9]], 4), /row 1 names an item outside/)
})

test('turning a matrix twice gives it back', () => {
  const matrix = binaryRows([[0, 2], [1], [0, 1, 2]], 3)
  assert.deepEqual(transposed(transposed(matrix)), matrix)
})

test('meetings count the rows that two items share', () => {
  const { graph, counts } = cooccurrenceOf(binaryRows([[0, 1], [0, 1, 2], [2]], 3), 0)
  assert.deepEqual([...counts], [2, 2, 2])
  assert.deepEqual([...rowOf(graph, 0)], [0, 1, 2])
  assert.deepEqual([...graph.values.subarray(graph.offsets[0], graph.offsets[1])], [2, 2, 1])
})

test('a walk prefers the rarer of two targets that were met equally often', () => {
  const rows = binaryRows(
    [
      [0, 1, 2],
      [2, 3],
      [2, 4],
    ],
    5,
  )
  const graph = walkGraph(cooccurrenceOf(rows, 1), { fromPower: 1, toPower: 0.5, keep: 1 })
  assert.deepEqual([...rowOf(graph, 0)], [1])
})

test('a writer gives its memory to the matrix and is empty afterwards', () => {
  const writer = new RowWriter()
  for (let row = 0; row < 3_000; row++) writer.add([row, row + 1], [0.5, row])
  const matrix = writer.matrix(3_001)
  assert.equal(matrix.rows, 3_000)
  assert.deepEqual([...rowOf(matrix, 2_999)], [2_999, 3_000])
  assert.equal(matrix.values[5_999], 2_999)
  const empty = writer.matrix(3_001)
  assert.deepEqual([empty.rows, empty.indices.length], [0, 0])
})
