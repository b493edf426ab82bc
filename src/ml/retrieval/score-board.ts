// Accumulates the scores of one request: dense values, and the list of items that have one.

import { topK, type Ranked } from '../top-k.ts'

export interface ScoreBoard {
  values: Float64Array
  marked: Uint8Array
  touched: Int32Array
  size: number
}

/**
 * Scores items for a history of items, oldest first, by adding to an empty board. Items outside the model
 * are ignored, an unknown history scores nothing, and every score is finite.
 */
export type Retriever = (history: ArrayLike<number>, board: ScoreBoard) => void

/** How many items a dense model proposes: lower ones are never shown and only slow down blends. */
export const maxProposed = 300

export function newScoreBoard(items: number): ScoreBoard {
  return {
    values: new Float64Array(items),
    marked: new Uint8Array(items),
    touched: new Int32Array(items),
    size: 0,
  }
}

export function addScore(board: ScoreBoard, item: number, amount: number): void {
  if (board.marked[item] === 0) {
    board.marked[item] = 1
    board.touched[board.size++] = item
    board.values[item] = amount
  } else board.values[item]! += amount
}

export function clearBoard(board: ScoreBoard): void {
  for (let at = 0; at < board.size; at++) {
    const item = board.touched[at]!
    board.marked[item] = 0
    board.values[item] = 0
  }
  board.size = 0
}

/** The k best on the board, ties by id. */
export function bestOf(board: ScoreBoard, k: number, skip?: (item: number) => boolean): Ranked {
  const options = { candidates: board.touched, count: board.size }
  return topK(board.values, k, skip ? { ...options, skip } : options)
}

/** A retriever's list for one history; the board comes back empty. */
export function listFor(
  retriever: Retriever,
  history: ArrayLike<number>,
  { board, k, skip }: { board: ScoreBoard; k: number; skip?: (item: number) => boolean },
): Ranked {
  retriever(history, board)
  const list = bestOf(board, k, skip)
  clearBoard(board)
  return list
}
