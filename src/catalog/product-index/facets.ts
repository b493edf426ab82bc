// Facets of a list: how many products each brand, partner, category, price and rating would leave.

import { countByMember, countByValue, countFlags, countFromSteps, passingAllBut } from '../../search/index.ts'
import { attributeFacets } from './attribute-facets.ts'
import type { Columns, RegionColumns } from './columns.ts'
import { bandFrom, bandTo, priceBands } from './price-bands.ts'
import type { Facets } from './query.ts'
import { type FilteredRows, filterBits, type RowFilter } from './row-filter.ts'

const ratingSteps = [4.5, 4, 3, 2, 1]

export function facetsOf(
  columns: Columns,
  { region, attributeBits }: Pick<RowFilter, 'region' | 'attributeBits'>,
  { slots, fails, passing }: FilteredRows,
): Facets {
  const countedFor = fails ? passingAllBut({ slots, fails }, passing) : () => slots
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
    rating: countFromSteps(here.rating, countedFor(filterBits.rating), ratingSteps),
    inStock: countFlags(here.inStock, countedFor(filterBits.stock)),
    attributes: attributeFacets(columns.attributes, countedFor, attributeBits),
  }
}

function priceFacet({ price, priceBand }: RegionColumns, slots: Int32Array): Facets['price'] {
  const bands = new Uint32Array(priceBands)
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!
    const value = price[slot]!
    // False for NaN too, which means no price.
    if (!(value >= 0)) continue
    bands[priceBand[slot]!]!++
    if (value < min) min = value
    if (value > max) max = value
  }
  const buckets = [...bands.entries()]
    .filter(([, count]) => count > 0)
    .map(([band, count]) => ({ from: bandFrom(band), to: bandTo(band), count }))
  return { min: buckets.length > 0 ? min : null, max: buckets.length > 0 ? max : null, buckets }
}
