// The best of some thousands, where asking whether one may be taken costs more than looking at its score: they are put
// into steps of like scores, and only as many of the highest steps are sorted and asked as are needed.

import { scoreSorter } from './by-score.ts'
import type { Ranked } from './top-k.ts'

/** Items and their scores by slots from 1 to `size`. A score of nought or less is none, and so is one that is no number. */
export interface Field {
  items: Int32Array
  scores: Float64Array
  size: number
}

/** The best that are taken, the best first, ties by the smaller item. */
export type Chooser = (field: Field, limit: number, takes: (item: number) => boolean) => Ranked

/** A step is what the sign, the exponent and the first four digits of a number have in common: six percent. */
const bitsBelowStep = 19
const steps = 1 << (32 - bitsBelowStep)

/** It has room of its own, so it must not be shared by threads. */
export function chooserFor(most: number): Chooser {
  const rough = new Float32Array(most + 1)
  const bits = new Int32Array(rough.buffer)
  const counts = new Int32Array(steps)
  const ids = new Int32Array(most)
  const scores = new Float64Array(most)
  const sort = scoreSorter(most)

  /** Sorts what stands on the steps from `low` to below `high`, and says how many there are. */
  const sortBand = (field: Field, low: number, high: number): number => {
    let count = 0
    for (let slot = 1; slot <= field.size; slot++) {
      const step = bits[slot]! >> bitsBelowStep
      if (step < low || step >= high) continue
      ids[count] = field.items[slot]!
      scores[count++] = field.scores[slot]!
    }
    sort(ids, scores, count)
    return count
  }

  return (field, limit, takes) => {
    const room = Math.min(limit, field.size)
    const found: Ranked = { ids: new Int32Array(room), scores: new Float64Array(room) }
    let taken = 0
    counts.fill(0)
    for (let slot = 1; slot <= field.size; slot++) {
      const score = field.scores[slot]!
      rough[slot] = score > 0 ? score : 0
      counts[bits[slot]! >> bitsBelowStep]!++
    }
    for (let high = steps; taken < room && high > 1;) {
      const low = lowestStep(counts, high, spare(room - taken))
      const count = sortBand(field, low, high)
      for (let at = 0; at < count && taken < room; at++) {
        if (!takes(ids[at]!)) continue
        found.ids[taken] = ids[at]!
        found.scores[taken++] = scores[at]!
      }
      high = low
    }
    return taken === room ? found : { ids: found.ids.slice(0, taken), scores: found.scores.slice(0, taken) }
  }
}

/** A few more than are wanted, because some will not be taken. */
const spare = (wanted: number): number => wanted + (wanted >> 3)

/** How far down to go for so many; the lowest step, of those without a score, is never reached. */
function lowestStep(counts: Int32Array, high: number, wanted: number): number {
  let low = high
  for (let sum = 0; low > 1 && sum < wanted;) sum += counts[--low]!
  return low
}
