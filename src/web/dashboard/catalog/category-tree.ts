// Categories as a tree.

export interface Node {
  id: string
  parent_id: string | null
  name: string
}

export interface Row<Item extends Node> {
  category: Item
  depth: number
}

/** Every category below its parent, siblings by name. A category whose parent is missing stands at the top. */
export function treeRows<Item extends Node>(categories: readonly Item[]): Row<Item>[] {
  const known = new Set(categories.map((it) => it.id))
  const children = Map.groupBy(categories, (it) =>
    it.parent_id !== null && known.has(it.parent_id) ? it.parent_id : null,
  )
  const below = (parent: string | null, depth: number): Row<Item>[] =>
    (children.get(parent) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .flatMap((category) => [{ category, depth }, ...below(category.id, depth + 1)])
  return below(null, 0)
}

/** Where a category may be moved: anywhere but into itself and what is below it. */
export function possibleParents<Item extends Node>(rows: readonly Row<Item>[], id: string): Item[] {
  const from = rows.findIndex((it) => it.category.id === id)
  const depth = rows[from]?.depth ?? 0
  const after = rows.findIndex((it, at) => at > from && it.depth <= depth)
  const to = after === -1 ? rows.length : after
  return rows.flatMap(({ category }, at) => (at >= from && at < to ? [] : [category]))
}
