// Item-to-item models share one shape: a sparse row of weighted neighbours per item.

import { bestIds } from '../top-k.ts'
import type { ScoreBoard, Retriever } from './score-board.ts'
import type { Csr, RowWriter } from './sparse.ts'

export interface Recency {
  /** How fast older items fade: the item d steps back weighs exp(−fade · d). 0 keeps all equal. */
  fade: number
  /** How many of the most recent items are read. */
  last: number
}

export const allHistory: Recency = { fade: 0, last: Number.MAX_SAFE_INTEGER }

/** Scores every neighbour of the history's items, the latest items most. */
export function neighbourRetriever(graph: Csr, recency: Recency = allHistory): Retriever {
  return (history, board) => addNeighbours(graph, history, recency, board)
}

/** The board's arrays are locals because most of a request's time is spent in this loop. */
function addNeighbours(
  graph: Csr,
  history: ArrayLike<number>,
  { fade, last }: Recency,
  board: ScoreBoard,
): void {
  const { offsets, indices, values } = graph
  const { values: scores, marked, touched } = board
  let { size } = board
  for (let back = 0; back < Math.min(last, history.length); back++) {
    const item = history[history.length - 1 - back]!
    if (!(item >= 0 && item < graph.rows)) continue
    const weight = fade === 0 ? 1 : Math.exp(-fade * back)
    const end = offsets[item + 1]!
    for (let at = offsets[item]!; at < end; at++) {
      const neighbour = indices[at]!
      scores[neighbour]! += weight * values[at]!
      if (marked[neighbour] === 1) continue
      marked[neighbour] = 1
      touched[size++] = neighbour
    }
  }
  board.size = size
}

/** Writes the `keep` largest weights of one item as its row, in the order of ids. */
export function writeBest(
  writer: RowWriter,
  weights: ArrayLike<number>,
  options: { keep: number; candidates?: ArrayLike<number>; count?: number; by?: ArrayLike<number> },
): void {
  const { keep, by, ...among } = options
  const best = bestIds(by ?? weights, keep, among)
  const values = new Float32Array(best.length)
  for (let at = 0; at < best.length; at++) values[at] = weights[best[at]!]!
  writer.add(best, values)
}
