// A family judged by what it adds to another model: what is best alone is not always best together.

import {
  addScore,
  clearBoard,
  newScoreBoard,
  type Retriever,
  type ScoreBoard,
} from '../retrieval/score-board.ts'
import type { Family } from './families.ts'

/** The weight of the family next to the other model, each by its best score. */
const besideWeight = 0.5

/** The same family, whose retrievers score together with another one that reads the same histories. */
export function besideModel(family: Family, other: Retriever): Family {
  return {
    ...family,
    load: (tables, params, items) => {
      const own = family.load(tables, params, items)
      const board = newScoreBoard(items)
      return (history, into) => {
        for (const [retriever, weight] of [
          [other, 1],
          [own, besideWeight],
        ] as const) {
          clearBoard(board)
          retriever(history, board)
          addShares(board, history, { weight, into })
        }
      }
    },
  }
}

/** Scores relative to the best one outside the history, as in a blend. */
function addShares(
  { touched, values, size }: ScoreBoard,
  history: ArrayLike<number>,
  { weight, into }: { weight: number; into: ScoreBoard },
): void {
  const known = new Set(Array.from(history))
  let top = 0
  for (let at = 0; at < size; at++) {
    const item = touched[at]!
    if (values[item]! > top && !known.has(item)) top = values[item]!
  }
  if (top <= 0) return
  for (let at = 0; at < size; at++) addScore(into, touched[at]!, (weight * values[touched[at]!]!) / top)
}
