// The shortest list of rows that holds every row that can pass a filter. Lists by category, brand and partner are kept
// for all rows.

import type { Columns } from './columns.ts'
import { filterBits, type RowFilter } from './row-filter.ts'

export interface NarrowestList {
  slots: Int32Array
  /** The filter whose rows it lists. */
  bit: number
}

/** Undefined when no filter has a list, so that all rows must be read. */
export function narrowestList(columns: Columns, { filters }: RowFilter): NarrowestList | undefined {
  const lists: NarrowestList[] = []
  if (filters.ids)
    lists.push({
      bit: filterBits.other,
      slots: Int32Array.from(
        [...new Set(filters.ids)].map((id) => columns.slotOf(id)).filter((it) => it !== undefined),
      ),
    })
  if (filters.categoryId !== undefined)
    lists.push({
      bit: filterBits.category,
      slots: columns.inCategory.slots(columns.categoryIds.find(filters.categoryId)),
    })
  if (filters.brandIds) lists.push({ bit: filterBits.brand, slots: ofBrands(columns, filters.brandIds) })
  if (filters.partnerIds?.length === 1)
    lists.push({
      bit: filterBits.partner,
      slots: columns.ofPartner.slots(columns.partnerIds.find(filters.partnerIds[0]!)),
    })
  return lists.toSorted((a, b) => a.slots.length - b.slots.length)[0]
}

/** A product has one brand, so the lists of brands have no row in common. */
function ofBrands({ ofBrand, brandIds: known }: Columns, brandIds: readonly number[]): Int32Array {
  const lists = [...new Set(brandIds)].map((id) => ofBrand.slots(known.find(id)))
  if (lists.length === 1) return lists[0]!
  const all = new Int32Array(lists.reduce((sum, it) => sum + it.length, 0))
  let end = 0
  for (const list of lists) {
    all.set(list, end)
    end += list.length
  }
  return all
}
