import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addScore, newScoreBoard, listFor, type Retriever } from './score-board.ts'
import { contentDims, contentVectors } from './content.ts'
import { neighbourRetriever } from './neighbours.ts'
import { popularity, touchesOf } from './popularity.ts'
import { addDue, againRetriever, rhythmOf } from './repeat.ts'
import { ruleGraph } from './rules.ts'
import { sessionIndex, sessionRetriever } from './session-knn.ts'

const idsFor = (retriever: Retriever, history: number[], items: number) => [
  ...listFor(retriever, history, { board: newScoreBoard(items), k: items }).ids,
]

const rule = { stepPower: 1, maxStep: 10, toPower: 0, ageFade: 0, backward: 0, itself: 0, keep: 10 }
const near = { recent: 2, neighbours: 10, last: 10, fade: 0.5, ageFade: 0, distanceFade: 0.1 }
const plain = { backward: 1, lengthPower: 0, idf: 0 }

test('a forward rule points forward only, and to the nearest step first', () => {
  const graph = ruleGraph(
    [
      [0, 1, 2],
      [0, 1, 2],
    ],
    3,
    rule,
  )
  assert.deepEqual(idsFor(neighbourRetriever(graph), [0], 3), [1, 2])
  assert.deepEqual(idsFor(neighbourRetriever(graph), [2], 3), [])
})

test('old sequences fade', () => {
  const graph = ruleGraph(
    [
      [0, 1],
      [0, 1],
      [0, 2],
    ],
    3,
    { ...rule, ageFade: 5 },
  )
  assert.deepEqual(idsFor(neighbourRetriever(graph), [0], 3), [2, 1])
})

test('the index remembers only the most recent sessions of an item', () => {
  const index = sessionIndex(
    [
      [0, 1],
      [0, 2],
      [0, 3],
    ],
    4,
    2,
  )
  assert.equal(index.postingOffsets[1], 2)
  const list = idsFor(sessionRetriever(index, { ...near, ...plain }), [0], 4)
  assert.ok(list.includes(3) && list.includes(2) && !list.includes(1))
})

test('the latest item of a session says most', () => {
  const index = sessionIndex(
    [
      [0, 2],
      [1, 3],
    ],
    4,
    10,
  )
  const list = idsFor(sessionRetriever(index, { ...near, ...plain }), [0, 1], 4)
  assert.ok(list.indexOf(3) < list.indexOf(2))
})

test('a session that names an unknown item is refused', () => {
  assert.throws(() => sessionIndex([[0], [7]], 3, 5), /session 1 names an item outside/)
})

test('a touch counts half after one half-life', () => {
  assert.deepEqual(
    [
      ...popularity(
        [
          { item: 0, age: 0 },
          { item: 1, age: 10 },
        ],
        2,
        10,
      ),
    ],
    [1, 0.5],
  )
  assert.deepEqual([...popularity(touchesOf([[0], [1]]), 2, 1)], [0.5, 1])
})

test('what is due is scored above what was just bought, by the buyer’s own rhythm', () => {
  const every = (item: number, days: number) => [0, 1, 2, 3].map((time) => ({ item, time: time * days }))
  const rhythm = rhythmOf([every(0, 30), every(1, 30)], 3)
  const board = newScoreBoard(3)
  addDue(
    rhythm,
    [...every(0, 30), { item: 1, time: 60 }, { item: 1, time: 118 }, { item: 2, time: 5 }],
    120,
    (item, amount) => addScore(board, item, amount),
  )
  assert.ok(board.values[0]! > board.values[1]! * 5)
  assert.equal(board.marked[2], 0)
  assert.ok([...board.values].every(Number.isFinite))
})

test('purchases at one moment or at no known time never make a score that is not a number', () => {
  const board = newScoreBoard(2)
  const odd = [
    { item: 0, time: 4 },
    { item: 0, time: 4 },
    { item: 1, time: Number.NaN },
  ]
  addDue(rhythmOf([odd], 2), odd, 4, (item, amount) => addScore(board, item, amount))
  assert.ok([...board.values].every(Number.isFinite))
})

test('a group is bought from again when its buyers come back on another day, whatever they buy', () => {
  const groups = [0, 0, 1, 1, 2]
  const buyers = Array.from({ length: 40 }, (_, at) => [
    { item: 0, time: 10 },
    { item: 1, time: 20 + at },
    { item: 2, time: 10 },
    { item: 3, time: 10.2 },
  ])
  const { again, second } = rhythmOf(buyers, 5, groups)
  assert.ok(again[0]! < 0.1 && second[0]! > 0.9)
  assert.ok(second[2]! < 0.1, 'two on one day are one purchase')
  assert.ok(Math.abs(second[4]! - 0.5) < 1e-9, 'a group without buyers is like the shop')
  assert.equal(rhythmOf([], 1).second[0], 0.5)
})

test('looking back in a session starts from its latest item', () => {
  assert.deepEqual(idsFor(againRetriever(4, 0.5), [2, 0, 2, 3], 4), [3, 2, 0])
})

test('words are alike across case, marks and small endings, in any script', () => {
  const vectors = contentVectors(['Красный чайник', 'чайники, КРАСНЫЕ!', 'usb cable 2 m', ''])
  const vectorOf = (row: number) => vectors.subarray(row * contentDims, (row + 1) * contentDims)
  const likeness = (row: number) => vectorOf(0).reduce((sum, it, at) => sum + it * vectorOf(row)[at]!, 0)
  assert.ok(Math.abs(likeness(0) - 1) < 1e-6)
  assert.ok(likeness(1) > 0.3 && likeness(1) > 2 * Math.abs(likeness(2)), `${likeness(1)} ${likeness(2)}`)
  assert.equal(likeness(3), 0, 'an empty text is like nothing')
})
