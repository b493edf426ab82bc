// All categories as choices of a field, in the order of the tree.

import type { Category } from '../../../sdk/index.ts'
import { useData } from '../app/data.ts'
import type { Choice } from '../ui/field.tsx'
import { treeRows } from './category-tree.ts'

const perPage = 100
const maxCategories = 2_000
/** A field shows no other indent. */
const indent = '\u2003'

/** Every row of the tree with its depth. */
export const useCategoryTree = () =>
  useData(['categories'], async (bozor) => {
    const all: Category[] = []
    for await (const it of bozor.categories.list({ per_page: perPage }))
      if (all.push(it) >= maxCategories) break
    return treeRows(all)
  })

export function useCategoryChoices(): { data: Choice[] | undefined } {
  const { data } = useCategoryTree()
  return {
    data: data?.map(({ category, depth }) => [category.id, indent.repeat(depth) + category.name] as const),
  }
}
