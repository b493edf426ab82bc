// Several models as one: each model's scores are brought to a common scale, its best being 1, then weighed.

import { addScore, newScoreBoard, clearBoard, type ScoreBoard, type Retriever } from './score-board.ts'

export interface Part {
  retriever: Retriever
  weight: number
}

/** A blend of models over the same items. `skip` names items whose scores must not set the scale. */
export function blendRetriever(
  parts: readonly Part[],
  items: number,
  skip?: (item: number) => boolean,
): Retriever {
  const [only] = parts
  if (only && parts.length === 1) return only.retriever
  const own = newScoreBoard(items)
  return (history, board) => {
    for (const { retriever, weight } of parts) {
      retriever(history, own)
      const top = highest(own, skip)
      if (top > 0) {
        for (let at = 0; at < own.size; at++) {
          const item = own.touched[at]!
          addScore(board, item, (weight * own.values[item]!) / top)
        }
      }
      clearBoard(own)
    }
  }
}

function highest(board: ScoreBoard, skip?: (item: number) => boolean): number {
  let top = 0
  for (let at = 0; at < board.size; at++) {
    const item = board.touched[at]!
    const value = board.values[item]!
    if (value > top && !skip?.(item)) top = value
  }
  return top
}
