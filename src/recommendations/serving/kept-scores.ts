// The scores of a source by history, so that the lists of a buyer who did nothing in between are not scored again. The key is
// the array itself: the profile of a buyer keeps its array until an event invalidates it.

import type { ScoreBoard } from '../../ml/retrieval/score-board.ts'

type History = ArrayLike<number>

interface Scores {
  items: Int32Array
  values: Float64Array
}

/** Of all histories together, for each source of a loaded model that keeps them: 24 MB. */
const maxScores = 2_000_000
/** What the key of a history without any score counts. */
const leastCount = 16

export class KeptScores {
  readonly #byHistory = new Map<History, Scores>()
  readonly #most: number
  #count = 0

  constructor(most = maxScores) {
    this.#most = most
  }

  /** Adds what is kept to an empty board; false if nothing is. */
  restore(history: History, board: ScoreBoard): boolean {
    const known = this.#byHistory.get(history)
    if (!known) return false
    // The map is ordered by last use.
    this.#byHistory.delete(history)
    this.#byHistory.set(history, known)
    const { items, values } = known
    board.touched.set(items)
    board.size = items.length
    for (let at = 0; at < items.length; at++) {
      board.values[items[at]!] = values[at]!
      board.marked[items[at]!] = 1
    }
    return true
  }

  keep(history: History, { touched, values, size }: ScoreBoard): void {
    const items = touched.slice(0, size)
    const scores = { items, values: Float64Array.from(items, (item) => values[item]!) }
    this.#byHistory.set(history, scores)
    this.#count += countOf(scores)
    for (const [oldest, its] of this.#byHistory) {
      if (this.#count <= this.#most || oldest === history) break
      this.#byHistory.delete(oldest)
      this.#count -= countOf(its)
    }
  }
}

const countOf = ({ items }: Scores): number => items.length + leastCount
