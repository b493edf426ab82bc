// The best of some thousands of items when checking an item costs more than reading its score. Items are put into
// buckets of similar scores, and only as many of the highest buckets are sorted and checked as are needed.

import { scoreSorter } from './sort-by-score.ts'
import type { Ranked } from './top-k.ts'

/** Items and their scores by slots from 1 to `size`. Scores that are not positive, and NaN, are ignored. */
export interface Field {
  items: Int32Array
  scores: Float64Array
  size: number
}

/** The accepted items, the best first, ties by the smaller id. */
export type Chooser = (field: Field, limit: number, takes: (item: number) => boolean) => Ranked

/** Scores of one bucket share sign, exponent and four bits of the mantissa: they differ by at most six percent. */
const bitsBelowStep = 19
const steps = 1 << (32 - bitsBelowStep)

/** It owns buffers, so threads must not share it. */
export function chooserFor(most: number): Chooser {
  const rough = new Float32Array(most + 1)
  const bits = new Int32Array(rough.buffer)
  const counts = new Int32Array(steps)
  const places = new Int32Array(steps)
  const ids = new Int32Array(most)
  const scores = new Float64Array(most)
  const sort = scoreSorter(most)

  /** Sorts the buckets from `low` to below `high` and returns the number of items. */
  const sortBand = (field: Field, low: number, high: number): number => {
    let count = 0
    for (let step = high - 1; step >= low; step--) {
      places[step] = count
      count += counts[step]!
    }
    for (let slot = 1; slot <= field.size; slot++) {
      const step = bits[slot]! >> bitsBelowStep
      if (step < low || step >= high) continue
      const place = places[step]!++
      ids[place] = field.items[slot]!
      scores[place] = field.scores[slot]!
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

/** A few more than needed, because some are rejected. */
const spare = (wanted: number): number => wanted + (wanted >> 3)

/** The lowest bucket to read for this many items; bucket 0, items without a score, is never read. */
function lowestStep(counts: Int32Array, high: number, wanted: number): number {
  let low = high
  for (let sum = 0; low > 1 && sum < wanted;) sum += counts[--low]!
  return low
}
