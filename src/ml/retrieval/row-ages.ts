// How old the rows of a training set are, and what they weigh by it.

import type { Sequences } from './sequences.ts'

/**
 * Ages from 0, the newest, to 1, the oldest: the share of the rows with items that are newer. Rows of one time have the same
 * age. Undefined where there are no times or all are the same, because then they say nothing.
 */
export function agesOf({ length, offsets, times }: Sequences): Float64Array | undefined {
  if (!times) return undefined
  const rows = Int32Array.from({ length }, (_, row) => row)
    .filter((row) => offsets[row + 1]! > offsets[row]!)
    .sort((a, b) => times[b]! - times[a]!)
  const last = rows.length - 1
  if (last < 1 || times[rows[0]!] === times[rows[last]!]) return undefined
  const ages = new Float64Array(length).fill(1)
  for (let from = 0; from <= last;) {
    let to = from
    while (to < last && times[rows[to + 1]!] === times[rows[from]!]) to++
    for (let at = from; at <= to; at++) ages[rows[at]!] = (from + to) / 2 / last
    from = to + 1
  }
  return ages
}

/** A row of age a weighs exp(−rowFade · a), scaled so that the mean is about 1 and other parameters keep their scale. */
export function rowWeights(ages: Float64Array, rowFade: number): Float64Array {
  const mean = -Math.expm1(-rowFade) / rowFade
  return ages.map((age) => Math.exp(-rowFade * age) / mean)
}
