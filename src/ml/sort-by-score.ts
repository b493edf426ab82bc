// Sorts ids by score in place, without a comparator function, because a list of some hundred ids is sorted on
// every call. The highest score comes first; equal scores are ordered by id.

/** Sorts the first `count` ids, and their scores with them. */
export type ScoreSorter = (ids: Int32Array, scores: Float64Array, count: number) => void

/** Runs of this length are sorted by insertion. */
const shortRun = 8

/** It owns merge buffers, so threads must not share it. */
export function scoreSorter(most: number): ScoreSorter {
  const spareIds = new Int32Array(most)
  const spareScores = new Float64Array(most)
  return (ids, scores, count) => {
    for (let from = 0; from < count; from += shortRun)
      sortRun(ids, scores, from, Math.min(count, from + shortRun))
    for (let width = shortRun; width < count; width *= 2) {
      for (let from = 0; from + width < count; from += 2 * width) {
        const middle = from + width
        // Runs that are already in order are left alone.
        if (comesFirst(scores[middle - 1]!, ids[middle - 1]!, scores[middle]!, ids[middle]!)) continue
        // Views of a few entries cost more than their copies.
        for (let at = from; at < middle; at++) {
          spareIds[at - from] = ids[at]!
          spareScores[at - from] = scores[at]!
        }
        merge({ ids, scores, from, middle, end: Math.min(count, middle + width) }, spareIds, spareScores)
      }
    }
  }
}

const comesFirst = (score: number, id: number, other: number, otherId: number): boolean =>
  score > other || (score === other && id < otherId)

function sortRun(ids: Int32Array, scores: Float64Array, from: number, end: number): void {
  for (let next = from + 1; next < end; next++) {
    const id = ids[next]!
    const score = scores[next]!
    let at = next
    for (; at > from && comesFirst(score, id, scores[at - 1]!, ids[at - 1]!); at--) {
      ids[at] = ids[at - 1]!
      scores[at] = scores[at - 1]!
    }
    ids[at] = id
    scores[at] = score
  }
}

interface Runs {
  ids: Int32Array
  scores: Float64Array
  from: number
  middle: number
  end: number
}

/** Merges a copied run with the run behind it; the rest of the latter is already in place. */
function merge(
  { ids, scores, from, middle, end }: Runs,
  asideIds: Int32Array,
  asideScores: Float64Array,
): void {
  const aside = middle - from
  let [left, right, at] = [0, middle, from]
  while (left < aside) {
    if (right < end && comesFirst(scores[right]!, ids[right]!, asideScores[left]!, asideIds[left]!)) {
      ids[at] = ids[right]!
      scores[at++] = scores[right++]!
    } else {
      ids[at] = asideIds[left]!
      scores[at++] = asideScores[left++]!
    }
  }
}
