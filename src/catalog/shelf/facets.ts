// Counts beside a list: how many products each brand, partner, category, price and rating would leave.

import type { Columns, RegionColumns } from './columns.ts'
import type { Numbered, Sets } from './interned.ts'
import { bandBegin, bandEnd, priceBands } from './price-band.ts'
import type { Count, Facets } from './question.ts'
import type { Region } from './item.ts'
import { failed } from './sieve.ts'

/** At most so many of a kind are told: the rest helps nobody to choose. */
const mostCounts = 100
const ratingSteps = [4.5, 4, 3, 2, 1]

/** Counts rows, of which `fails` tells the failed filters: each facet leaves out its own. Column by column is fastest. */
export function facetsOf(
  columns: Columns,
  region: Region,
  slots: Int32Array,
  fails: Uint8Array | undefined,
): Facets {
  const counted = fails ? countedBy(slots, fails) : () => slots
  const here = columns.in[region]
  return {
    brands: mostFrequent(brandCounts(columns, counted(failed.brand)), columns.brandIds),
    partners: mostFrequent(
      memberCounts(columns.partnerSets, here.partners, counted(failed.partner), columns.partnerIds),
      columns.partnerIds,
    ),
    categories: mostFrequent(
      memberCounts(columns.paths, columns.path, counted(failed.category), columns.categoryIds),
      columns.categoryIds,
    ),
    price: priceFacet(here, counted(failed.price)),
    rating: ratingFacet(here, counted(failed.rating)),
    inStock: stockFacet(here, counted(failed.stock)),
  }
}

/** The rows that pass all filters, followed for each filter by those that fail it alone. */
function countedBy(slots: Int32Array, fails: Uint8Array): (bit: number) => Int32Array {
  const passing = new Int32Array(slots.length)
  const failing: Record<number, number[]> = {}
  let count = 0
  for (let at = 0; at < slots.length; at++) {
    const bits = fails[at]!
    if (bits === 0) passing[count++] = slots[at]!
    else if ((bits & (bits - 1)) === 0) (failing[bits] ??= []).push(slots[at]!)
  }
  return (bit) => {
    const alone = failing[bit] ?? []
    const counted = new Int32Array(count + alone.length)
    counted.set(passing.subarray(0, count))
    counted.set(alone, count)
    return counted
  }
}

function brandCounts({ brand, brandIds }: Columns, slots: Int32Array): Uint32Array {
  const counts = new Uint32Array(brandIds.size)
  for (let at = 0; at < slots.length; at++) {
    const its = brand[slots[at]!]!
    if (its >= 0) counts[its]!++
  }
  return counts
}

/** Rows of one set are counted together, then each set's members. */
function memberCounts(sets: Sets, column: Int32Array, slots: Int32Array, members: Numbered): Uint32Array {
  const counts = new Uint32Array(members.size)
  const perSet = new Uint32Array(sets.size)
  for (let at = 0; at < slots.length; at++) perSet[column[slots[at]!]!]!++
  for (let set = 0; set < perSet.length; set++) {
    const count = perSet[set]!
    if (count > 0) for (const member of sets.at(set)) counts[member]! += count
  }
  return counts
}

function priceFacet({ price, priceBand }: RegionColumns, slots: Int32Array): Facets['price'] {
  const bands = new Uint32Array(priceBands)
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let at = 0; at < slots.length; at++) {
    const its = price[slots[at]!]!
    // NaN, no price, is neither.
    if (!(its >= 0)) continue
    bands[priceBand[slots[at]!]!]!++
    if (its < min) min = its
    if (its > max) max = its
  }
  const buckets = [...bands.entries()]
    .filter(([, count]) => count > 0)
    .map(([band, count]) => ({ from: bandBegin(band), to: bandEnd(band), count }))
  return { min: buckets.length > 0 ? min : null, max: buckets.length > 0 ? max : null, buckets }
}

function ratingFacet({ rating }: RegionColumns, slots: Int32Array): Facets['rating'] {
  const counts = new Uint32Array(ratingSteps.length)
  for (let at = 0; at < slots.length; at++) {
    const its = rating[slots[at]!]!
    for (let step = ratingSteps.length - 1; step >= 0 && its >= ratingSteps[step]!; step--) counts[step]!++
  }
  return ratingSteps.map((from, step) => ({ from, count: counts[step]! }))
}

function stockFacet({ inStock }: RegionColumns, slots: Int32Array): Facets['inStock'] {
  let yes = 0
  for (let at = 0; at < slots.length; at++) yes += inStock[slots[at]!]!
  return { yes, no: slots.length - yes }
}

function mostFrequent(counts: Uint32Array, numbered: Numbered): Count[] {
  const found: Count[] = []
  for (let at = 0; at < counts.length; at++)
    if (counts[at]! > 0) found.push({ id: numbered.ids[at]!, count: counts[at]! })
  return found.toSorted((a, b) => b.count - a.count || a.id - b.id).slice(0, mostCounts)
}
