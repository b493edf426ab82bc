import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { type Category, type CategoryRecord, levelBelow, misplaced } from './category.ts'
import * as store from './store/categories.ts'
import { turnPage } from './store/promotions.ts'

/** Adds a category at its place in the tree. Its slug, and its id if it brings one, must be free. */
export async function createCategory(tx: Tx, record: CategoryRecord): Promise<Category> {
  if (record.parentId !== null) await store.lockPlaceBelow(tx, record.parentId)
  const path = await store.pathUp(tx, record.parentId)
  const refusal = misplaced({ id: record.id, parentId: record.parentId, depthBelow: 0 }, path)
  if (refusal) throw refusal

  const category = await store.insertCategory(tx, { ...record, level: levelBelow(path[0]) })
  turnPage(tx)
  await publish(tx, { type: 'CategoryCreated', categoryId: category.id, slug: category.slug })
  return category
}
