// Counting rows by the values of a column, for facets. Reading column by column is fastest.

import type { InternedIds, InternedSets } from './interned.ts'

export interface FacetCount {
  id: number
  count: number
}

/** Further values are left out. */
const maxCounts = 100

/**
 * The rows that a facet counts: those that pass all filters, followed by those that fail only the facet's own filter.
 * `fails` holds the bits of the filters that each row fails. The rows must not be changed.
 */
export function passingAllBut(
  { slots, fails }: { slots: Int32Array; fails: Uint32Array },
  passing: Int32Array,
): (ownBit: number) => Int32Array {
  if (passing.length === slots.length) return () => passing
  // The bits of filters that some row fails alone: facets of the other filters share the rows that pass.
  let failedAlone = 0
  for (let at = 0; at < fails.length; at++) {
    const bits = fails[at]!
    if ((bits & (bits - 1)) === 0) failedAlone |= bits
  }
  return (ownBit) => {
    if ((failedAlone & ownBit) === 0) return passing
    const counted = new Int32Array(slots.length)
    counted.set(passing)
    let count = passing.length
    for (let at = 0; at < slots.length; at++) if (fails[at] === ownBit) counted[count++] = slots[at]!
    return counted.subarray(0, count)
  }
}

/** Rows per value of a column of interned ids; −1 is no value. */
export function countByValue(column: Int32Array, slots: Int32Array, ids: InternedIds): FacetCount[] {
  const counts = new Uint32Array(ids.size)
  for (let at = 0; at < slots.length; at++) {
    const value = column[slots[at]!]!
    if (value >= 0) counts[value]!++
  }
  return mostFrequent(counts, ids)
}

/** Rows per member of a column of interned sets. */
export function countByMember(
  column: Int32Array,
  slots: Int32Array,
  { sets, ids }: { sets: InternedSets; ids: InternedIds },
): FacetCount[] {
  const counts = new Uint32Array(ids.size)
  sets.countMembers(column, slots, counts)
  return mostFrequent(counts, ids)
}

/** For each step, the highest first, the rows that reach it; the column has the place of the highest step of a row. */
export function countFromSteps(
  column: Uint8Array,
  slots: Int32Array,
  steps: readonly number[],
): { from: number; count: number }[] {
  const reaching = new Uint32Array(steps.length + 1)
  for (let at = 0; at < slots.length; at++) reaching[column[slots[at]!]!]!++
  let count = 0
  return steps.map((from, step) => ({ from, count: (count += reaching[step]!) }))
}

/** How many rows have 1 in a column of flags, and how many have 0. */
export function countFlags(column: Uint8Array, slots: Int32Array): { yes: number; no: number } {
  let yes = 0
  for (let at = 0; at < slots.length; at++) yes += column[slots[at]!]!
  return { yes, no: slots.length - yes }
}

function mostFrequent(counts: Uint32Array, { ids }: InternedIds): FacetCount[] {
  const found: FacetCount[] = []
  for (let at = 0; at < counts.length; at++)
    if (counts[at]! > 0) found.push({ id: ids[at]!, count: counts[at]! })
  return found.toSorted((a, b) => b.count - a.count || a.id - b.id).slice(0, maxCounts)
}
