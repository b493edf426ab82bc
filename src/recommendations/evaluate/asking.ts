// Asks a model every case of a trial, in one way for choosing and for the final figures.

import { bestOf, boardFor, clearBoard, type Board, type Retriever } from '../ml/retrieval/board.ts'
import { LIST_LENGTH, type Case, type Measure, type Trial } from './trial.ts'

export interface Answer {
  list: Int32Array
  /** The mean of each is the trial's figure. */
  figures: number[]
}

/** Marks what a case's list must not hold. The retriever may share it to set its scale. */
export interface Guard {
  skip: (item: number) => boolean
  set: (history: Int32Array) => void
}

export function guardFor({ items, repeats }: Pick<Trial, 'items' | 'repeats'>): Guard {
  const marks = new Uint8Array(items)
  let held: Int32Array = new Int32Array()
  return {
    skip: (item) => marks[item] === 1,
    set(history) {
      for (const item of held) if (item < items) marks[item] = 0
      held = repeats === 'allowed' ? new Int32Array() : history
      for (const item of held) if (item < items) marks[item] = 1
    },
  }
}

export interface Asker {
  ask: (retriever: Retriever, asked: Case) => Answer
}

/** `fallback` holds every item, best first: it fills lists that a model leaves short. */
export function askerFor(trial: Trial, guard: Guard, fallback: Int32Array): Asker {
  const board = boardFor(trial.items)
  return {
    ask(retriever, { history, relevant }) {
      guard.set(history)
      retriever(history, board)
      const list = filled(bestOf(board, LIST_LENGTH, guard.skip).ids, fallback, guard)
      const position = relevant.length === 1 ? tiedPosition(board, relevant[0]!, guard) : undefined
      clearBoard(board)
      return { list, figures: figuresOf(trial.measures, list, relevant, position) }
    },
  }
}

export function figuresOf(
  measures: Measure[],
  list: Int32Array,
  relevant: Int32Array,
  position?: number,
): number[] {
  const wanted = new Set(relevant)
  return measures.map(({ of, at }) => (at && position !== undefined ? at(position) : of(list, wanted)))
}

/** The position of a scored item, ties counting half; undefined when the model did not score it. */
function tiedPosition(board: Board, item: number, guard: Guard): number | undefined {
  if (board.marked[item] !== 1 || guard.skip(item)) return undefined
  const own = board.values[item]!
  let above = 0
  let equal = 0
  for (let at = 0; at < board.size; at++) {
    const other = board.touched[at]!
    const value = board.values[other]!
    if (value < own || other === item || guard.skip(other)) continue
    if (value > own) above++
    else equal++
  }
  return 1 + above + equal / 2
}

export function filled(list: Int32Array, fallback: Int32Array, guard: Guard): Int32Array {
  if (list.length === LIST_LENGTH) return list
  const taken = new Set(list)
  for (const item of fallback) {
    if (taken.size >= LIST_LENGTH) break
    if (!guard.skip(item)) taken.add(item)
  }
  return Int32Array.from(taken)
}
