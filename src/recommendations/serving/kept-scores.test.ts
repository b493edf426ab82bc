import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addScore, bestOf, newScoreBoard, type ScoreBoard } from '../../ml/retrieval/score-board.ts'
import { KeptScores } from './kept-scores.ts'

const boardOf = (...scores: [item: number, score: number][]): ScoreBoard => {
  const board = newScoreBoard(10)
  for (const [item, score] of scores) addScore(board, item, score)
  return board
}

test('a kept history is restored as it was scored', () => {
  const kept = new KeptScores()
  const history = [1, 2]
  const board = boardOf([7, 1 / 3], [2, 0.5])
  kept.keep(history, board)
  const restored = newScoreBoard(10)
  assert.equal(kept.restore(history, restored), true)
  assert.deepEqual(restored, board)
  addScore(restored, 7, 1)
  assert.deepEqual([...bestOf(restored, 3).scores], [4 / 3, 0.5])
})

test('another array of the same items is another history', () => {
  const kept = new KeptScores()
  kept.keep([1, 2], boardOf([7, 1]))
  assert.equal(kept.restore([1, 2], newScoreBoard(10)), false)
})

test('the histories that were not used for longest are dropped first', () => {
  const kept = new KeptScores(3 * 17)
  const [first, second, third, fourth] = [[1], [2], [3], [4]] as const
  for (const history of [first, second, third]) kept.keep(history, boardOf([7, 1]))
  assert.equal(kept.restore(first, newScoreBoard(10)), true)
  kept.keep(fourth, boardOf([7, 1]))
  const isKept = (history: readonly number[]) => kept.restore(history, newScoreBoard(10))
  assert.deepEqual([first, second, third, fourth].map(isKept), [true, false, true, true])
})
