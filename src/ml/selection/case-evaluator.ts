// Evaluates a model on the cases of a list task, the same way for choosing and for the final figures.

import {
  bestOf,
  newScoreBoard,
  clearBoard,
  type ScoreBoard,
  type Retriever,
} from '../retrieval/score-board.ts'
import { topK } from '../top-k.ts'
import { listLength, type Case, type Measure, type ListTask } from './list-task.ts'
import type { TrainingSet } from './training-set.ts'

export interface CaseResult {
  list: Int32Array
  /** One value per measure; the task reports their means. */
  figures: number[]
}

/** Marks the items that a case's list must not contain. A blend uses it to ignore their scores when scaling. */
export interface Exclusions {
  skip: (item: number) => boolean
  set: (history: Int32Array) => void
}

export function exclusionsFor({ items, repeats }: Pick<ListTask, 'items' | 'repeats'>): Exclusions {
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

export interface CaseEvaluator {
  evaluate: (retriever: Retriever, testCase: Case) => CaseResult
}

/** `fallback` holds every item, best first: it fills lists that a model leaves short. */
export function caseEvaluatorFor(
  listTask: ListTask,
  exclusions: Exclusions,
  fallback: Int32Array,
): CaseEvaluator {
  const board = newScoreBoard(listTask.items)
  return {
    evaluate(retriever, { history, relevant }) {
      exclusions.set(history)
      retriever(history, board)
      const list = filled(bestOf(board, listLength, exclusions.skip).ids, fallback, exclusions)
      const position = relevant.length === 1 ? tiedPosition(board, relevant[0]!, exclusions) : undefined
      clearBoard(board)
      return { list, figures: figuresOf(listTask.measures, list, relevant, position) }
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
function tiedPosition(board: ScoreBoard, item: number, exclusions: Exclusions): number | undefined {
  if (board.marked[item] !== 1 || exclusions.skip(item)) return undefined
  const own = board.values[item]!
  let above = 0
  let equal = 0
  for (let at = 0; at < board.size; at++) {
    const other = board.touched[at]!
    const value = board.values[other]!
    if (value < own || other === item || exclusions.skip(other)) continue
    if (value > own) above++
    else equal++
  }
  return 1 + above + equal / 2
}

export function filled(list: Int32Array, fallback: Int32Array, exclusions: Exclusions): Int32Array {
  if (list.length === listLength) return list
  const taken = new Set(list)
  for (const item of fallback) {
    if (taken.size >= listLength) break
    if (!exclusions.skip(item)) taken.add(item)
  }
  return Int32Array.from(taken)
}

/** Items by how often they are touched, ties by id. */
export function fallbackOrder({ counts }: TrainingSet): Int32Array {
  return topK(counts, counts.length).ids
}
