import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { addScore, listFor, newScoreBoard, type Retriever } from '../retrieval/score-board.ts'
import { besideModel } from './beside.ts'
import { familyOf } from './families.ts'

const items = 6
/** Scores items whatever the history holds. */
const scoring =
  (scores: Readonly<Record<number, number>>): Retriever =>
  (_, board) => {
    for (const [item, score] of Object.entries(scores)) addScore(board, Number(item), score)
  }
const listBeside = (own: Retriever, other: Retriever, history: number[] = []) => {
  const family = besideModel({ ...familyOf('walk')!, load: () => own }, other)
  const retriever = family.load({}, {}, items)
  return listFor(retriever, history, { board: newScoreBoard(items), k: items })
}

test('a family beside a model scores both, each by its best item, the model twice as much', () => {
  const { ids, scores } = listBeside(scoring({ 0: 30, 1: 15 }), scoring({ 1: 0.2, 2: 0.1 }))
  deepEqual([...ids], [1, 0, 2])
  deepEqual([...scores], [1.25, 0.5, 0.5])
})

test('items of the history do not scale the scores', () => {
  const { ids, scores } = listBeside(scoring({ 0: 4 }), scoring({ 1: 100, 2: 1 }), [1])
  deepEqual([...ids], [1, 2, 0])
  equal(scores[1], 1)
})

test('a family that scores nothing leaves the model alone, and a second query does not see the first', () => {
  const other: Retriever = (history, board) => addScore(board, history[0]! + 1, 1)
  const retriever = besideModel({ ...familyOf('walk')!, load: () => () => {} }, other).load({}, {}, items)
  const board = newScoreBoard(items)
  deepEqual([...listFor(retriever, [0], { board, k: items }).ids], [1])
  deepEqual([...listFor(retriever, [3], { board, k: items }).ids], [4])
})
