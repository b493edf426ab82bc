// Facets over attributes: how many products each value would leave.

import type { AttributeColumns } from './attribute-columns.ts'
import type { AttributeFacet } from './query.ts'

/** Further attributes and values are left out. */
const maxAttributes = 30
const maxValues = 100

/**
 * Each attribute counts the rows that pass every filter but its own. `filtered` has the bits of the attributes that are
 * filtered; the others share the rows that pass all filters.
 */
export function attributeFacets(
  columns: AttributeColumns,
  countedFor: (ownBit: number) => Int32Array,
  filtered: ReadonlyMap<string, number>,
): AttributeFacet[] {
  const counts = columns.counts(countedFor(0))
  const ownCounts = new Map([...filtered].map(([code, bit]) => [code, columns.counts(countedFor(bit))]))
  const facets = new Map<string, AttributeFacet & { products: number }>()
  for (const [number, { code, value }] of columns.values.entries()) {
    const count = (ownCounts.get(code) ?? counts)[number]!
    if (count === 0) continue
    const facet = facets.get(code) ?? { code, values: [], products: 0 }
    facet.values.push({ value, count })
    facet.products += count
    facets.set(code, facet)
  }
  return [...facets.values()]
    .toSorted((a, b) => b.products - a.products || (a.code < b.code ? -1 : 1))
    .slice(0, maxAttributes)
    .map(({ code, values }) => ({ code, values: mostFrequent(values) }))
}

const mostFrequent = (values: AttributeFacet['values']): AttributeFacet['values'] =>
  values
    .toSorted((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
    .slice(0, maxValues)
