// Facets of a list: how many products each brand, partner, category, price and rating would leave.

import { countByMember, countByValue, countFlags, countFromSteps, passingAllBut } from '../../search/index.ts'
import { attributeFacets } from './attribute-facets.ts'
import type { Columns, RegionColumns } from './columns.ts'
import type { NarrowestList } from './narrowest-list.ts'
import { bandFrom, bandTo, priceBands } from './price-bands.ts'
import { ratingSteps } from './rating-steps.ts'
import type { Facets } from './query.ts'
import { type FilteredRows, filterBits, type RowFilter } from './row-filter.ts'

/** The rows that a facet counts: those that pass every filter but its own, given by its bit. */
type CountedFor = (ownBit: number) => Int32Array

export const countedIn = ({ slots, fails, passing }: FilteredRows): CountedFor =>
  fails ? passingAllBut({ slots, fails }, passing) : () => slots

/** Only the facet of the filter that narrows most has to read all rows. */
export function countedWithin(filter: RowFilter, { slots, bit }: NarrowestList, all: Int32Array): CountedFor {
  const within = countedIn(filter.apply(slots))
  return (ownBit) => (ownBit === bit ? filter.passing(all, bit) : within(ownBit))
}

export function facetsOf(
  columns: Columns,
  { region, attributeBits }: Pick<RowFilter, 'region' | 'attributeBits'>,
  countedFor: CountedFor,
): Facets {
  const here = columns.in[region]
  return {
    brands: countByValue(columns.brand, countedFor(filterBits.brand), columns.brandIds),
    partners: countByMember(here.partners, countedFor(filterBits.partner), {
      sets: columns.partnerSets,
      ids: columns.partnerIds,
    }),
    categories: countByMember(columns.path, countedFor(filterBits.category), {
      sets: columns.paths,
      ids: columns.categoryIds,
    }),
    price: priceFacet(here, countedFor(filterBits.price)),
    rating: countFromSteps(here.ratingStep, countedFor(filterBits.rating), ratingSteps),
    inStock: countFlags(here.inStock, countedFor(filterBits.stock)),
    attributes: attributeFacets(columns.attributes, countedFor, attributeBits),
  }
}

/** Prices themselves are read only in the lowest and the highest band: a band is one byte, a price eight. */
function priceFacet({ price, priceBand }: RegionColumns, slots: Int32Array): Facets['price'] {
  const bands = new Uint32Array(priceBands)
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!
    const band = priceBand[slot]!
    // The first band is also that of rows without a price, which is NaN.
    if (band > 0 || price[slot]! >= 0) bands[band]!++
  }
  const lowest = bands.findIndex((count) => count > 0)
  const highest = bands.findLastIndex((count) => count > 0)
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!
    const band = priceBand[slot]!
    if (band !== lowest && band !== highest) continue
    const value = price[slot]!
    if (value < min) min = value
    if (value > max) max = value
  }
  const buckets = [...bands.entries()]
    .filter(([, count]) => count > 0)
    .map(([band, count]) => ({ from: bandFrom(band), to: bandTo(band), count }))
  return { min: buckets.length > 0 ? min : null, max: buckets.length > 0 ? max : null, buckets }
}
