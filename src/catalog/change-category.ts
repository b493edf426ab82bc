import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import { type Category, type CategoryRecord, levelBelow, misplaced } from './category.ts'
import * as store from './store/categories.ts'
import { turnPage } from './store/promotions.ts'

/** Changes what is named and keeps the rest; a new parent takes the whole subtree along. */
export async function changeCategory(
  tx: Tx,
  id: number,
  { changes, ifMatch }: { changes: Partial<CategoryRecord>; ifMatch: number | undefined },
): Promise<Category> {
  if (changes.parentId !== undefined) await store.lockPlaceBelow(tx, changes.parentId)
  const before = await store.lockCategory(tx, id)
  if (!before) throw refuse('not_found')
  refuseStale(before, ifMatch)

  const after = { ...before, ...changes, id, level: before.level }
  if (after.parentId !== before.parentId) after.level = await levelAtNewPlace(tx, after)
  if (isDeepStrictEqual(after, before)) return before

  const saved = await store.updateCategory(tx, after)
  if (after.parentId !== before.parentId) turnPage(tx)
  if (after.level !== before.level) await store.shiftBelow(tx, id, after.level - before.level)
  await publish(tx, { type: 'CategoryChanged', categoryId: id, slug: saved.slug })
  return saved
}

async function levelAtNewPlace(tx: Tx, category: Category): Promise<number> {
  const path = await store.pathUp(tx, category.parentId)
  const depthBelow = await store.depthBelow(tx, category.id)
  const refusal = misplaced({ id: category.id, parentId: category.parentId, depthBelow }, path)
  if (refusal) throw refusal
  return levelBelow(path[0])
}
