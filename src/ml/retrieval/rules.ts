// Forward sequential rules: what came after what, near steps most. Order matters, unlike in the other graphs.

import { addScore, newScoreBoard, clearBoard } from './score-board.ts'
import { writeBest } from './neighbours.ts'
import { flatSequences, type GivenSequences, type Sequences } from './sequences.ts'
import { RowWriter, type Csr } from './sparse.ts'

export interface RuleOptions {
  /** A step of d weighs 1 / d^stepPower. */
  stepPower: number
  maxStep: number
  /** How much popular targets are damped: divided by count^toPower. */
  toPower: number
  /** Old sequences fade: the oldest weighs exp(−ageFade) of the newest (sequences are ordered oldest first). */
  ageFade: number
  /** The weight of a step back, as a share of the same step forward: 0 is a pure rule. */
  backward: number
  /** The weight of an item for itself, as a share of its count: 0 leaves it out. */
  itself: number
  keep: number
}

/** Rules learned from item sequences, oldest first; row i holds what follows item i, as shares of its weight. */
export function ruleGraph(given: GivenSequences, items: number, options: RuleOptions): Csr {
  const sequences = flatSequences(given)
  const follows = placesOf(sequences, items)
  const counts = Float64Array.from(
    { length: items },
    (_, item) => follows.offsets[item + 1]! - follows.offsets[item]!,
  )
  const board = newScoreBoard(items)
  const writer = new RowWriter()
  for (let item = 0; item < items; item++) {
    let total = 0
    for (let at = follows.offsets[item]!; at < follows.offsets[item + 1]!; at++) {
      const start = sequences.offsets[follows.sequences[at]!]!
      const end = sequences.offsets[follows.sequences[at]! + 1]!
      const place = follows.places[at]!
      const age = options.ageFade === 0 ? 0 : 1 - follows.sequences[at]! / sequences.length
      const weight = Math.exp(-options.ageFade * age)
      total += weight
      for (let step = 1; step <= options.maxStep; step++) {
        const worth = weight * step ** -options.stepPower
        if (place + step < end) addScore(board, sequences.items[place + step]!, worth)
        if (options.backward > 0 && place - step >= start)
          addScore(board, sequences.items[place - step]!, worth * options.backward)
      }
    }
    for (let at = 0; at < board.size; at++) {
      const other = board.touched[at]!
      board.values[other]! /= total * counts[other]! ** options.toPower
    }
    if (board.marked[item] === 1) board.values[item]! *= options.itself > 0 ? options.itself : Number.NaN
    writeBest(writer, board.values, { keep: options.keep, candidates: board.touched, count: board.size })
    clearBoard(board)
  }
  return writer.matrix(items)
}

/** For each item, the sequences that contain it and its positions in the array of all. */
function placesOf(sequences: Sequences, items: number) {
  const offsets = new Int32Array(items + 1)
  for (const item of sequences.items) offsets[item + 1]! += 1
  for (let item = 0; item < items; item++) offsets[item + 1]! += offsets[item]!
  const next = offsets.slice()
  const owners = new Int32Array(offsets[items]!)
  const places = new Int32Array(offsets[items]!)
  for (let s = 0; s < sequences.length; s++) {
    for (let p = sequences.offsets[s]!; p < sequences.offsets[s + 1]!; p++) {
      const to = next[sequences.items[p]!]!++
      owners[to] = s
      places[to] = p
    }
  }
  return { offsets, sequences: owners, places }
}
