// What sells now: counts that fade with age. The last resort of every list, and a feature of the ranker.

import { topK } from '../top-k.ts'
import { flatSequences, type GivenSequences } from './sequences.ts'
import { addScore, maxProposed, type Retriever } from './score-board.ts'

export interface Touch {
  item: number
  /** How long ago, in any unit; the half-life has the same. */
  age: number
}

/** The weight of each item: a touch counts half after one half-life, a quarter after two. */
export function popularity(touches: Iterable<Touch>, items: number, halfLife: number): Float64Array {
  const weights = new Float64Array(items)
  for (const { item, age } of touches) {
    if (item >= 0 && item < items) weights[item]! += halfLife > 0 ? 2 ** (-Math.max(0, age) / halfLife) : 1
  }
  return weights
}

/** Touches of sequences given oldest first, aged by how many sequences came later. */
export function* touchesOf(given: GivenSequences): Generator<Touch> {
  const { length, offsets, items } = flatSequences(given)
  for (let s = 0; s < length; s++)
    for (let at = offsets[s]!; at < offsets[s + 1]!; at++) yield { item: items[at]!, age: length - 1 - s }
}

/** The items that weigh most, as many as a dense model proposes. */
export const leadersOf = (weights: Float64Array): Int32Array =>
  topK(weights, maxProposed).ids.filter((item) => weights[item]! > 0)

/** The same order for every history. */
export function popularityRetriever(weights: Float64Array): Retriever {
  const best = leadersOf(weights)
  return (_history, board) => {
    for (const item of best) addScore(board, item, weights[item]!)
  }
}
