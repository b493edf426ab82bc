import * as store from './store.ts'
import type { Tx } from '../../base/database.ts'
import { publish, publishAll } from '../../base/outbox.ts'
import {
  type Category,
  type CategoryRecord,
  type Identified,
  levelBelow,
  recordsToAdd,
  refusalOfPlace,
  withLevels,
} from './category.ts'
import { bumpScheduleVersion } from '../promotions/store.ts'
import { isDeepStrictEqual } from 'node:util'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { removeFromPromotions } from '../promotions/leave-promotions.ts'
import { deleteOne } from '../entities/store.ts'
import { keepEarlierSlug } from './slugs-store.ts'
import { categories } from '../entities/tables.ts'

/** Adds a category. Its slug, and its id if it has one, must be free. */
export async function createCategory(tx: Tx, record: CategoryRecord): Promise<Category> {
  if (record.parentId !== null) await store.lockPlaceBelow(tx, record.parentId)
  const path = await store.pathUp(tx, record.parentId)
  const refusal = refusalOfPlace({ id: record.id, parentId: record.parentId, depthBelow: 0 }, path)
  if (refusal) throw refusal

  const category = await store.insertCategory(tx, { ...record, level: levelBelow(path[0]) })
  bumpScheduleVersion(tx)
  publish(tx, { type: 'CategoryCreated', categoryId: category.id, slug: category.slug })
  return category
}

/** Changes the given fields; a new parent moves the whole subtree. */
export async function changeCategory(
  tx: Tx,
  id: number,
  { changes, ifMatch }: { changes: Partial<CategoryRecord>; ifMatch: IfMatch | undefined },
): Promise<Category> {
  if (changes.parentId !== undefined) await store.lockPlaceBelow(tx, changes.parentId)
  const before = await store.lockCategory(tx, id)
  if (!before) throw refuse('not_found')
  requireVersion(before, ifMatch)

  const after = { ...before, ...changes, id, level: before.level }
  if (after.parentId !== before.parentId) after.level = await levelAtNewPlace(tx, after)
  if (isDeepStrictEqual(after, before)) return before

  const saved = await store.updateCategory(tx, after)
  if (saved.slug !== before.slug) keepEarlierSlug(tx, before)
  if (after.parentId !== before.parentId) bumpScheduleVersion(tx)
  if (after.level !== before.level) await store.shiftBelow(tx, id, after.level - before.level)
  publish(tx, { type: 'CategoryChanged', categoryId: id, slug: saved.slug })
  return saved
}

async function levelAtNewPlace(tx: Tx, category: Category): Promise<number> {
  const path = await store.pathUp(tx, category.parentId)
  const depthBelow = await store.depthBelow(tx, category.id)
  const refusal = refusalOfPlace({ id: category.id, parentId: category.parentId, depthBelow }, path)
  if (refusal) throw refusal
  return levelBelow(path[0])
}

/** Deletes a category and returns it. */
export async function deleteCategory(tx: Tx, id: number, ifMatch: IfMatch | undefined): Promise<Category> {
  const category = await store.lockCategory(tx, id)
  if (!category) throw refuse('not_found')
  requireVersion(category, ifMatch)
  if (await store.hasChildren(tx, id)) throw conflict('has_children', { id: String(id) })

  await deleteOne(tx, categories, id)
  await removeFromPromotions(tx, 'categoryIds', id)
  publish(tx, { type: 'CategoryDeleted', categoryId: id })
  return category
}

/**
 * Adds the categories whose ids are free and returns them. Existing ones are not changed, wherever they were moved to;
 * parents must precede their children.
 */
export async function addCategories(
  tx: Tx,
  records: readonly Identified<CategoryRecord>[],
): Promise<Category[]> {
  const isEmpty = (await store.lockTree(tx)) === 0
  // An empty tree has no row to lock. The schedule always has one, which this update locks.
  if (isEmpty) bumpScheduleVersion(tx)
  const standing = await store.categoriesAmong(tx, records)
  const wanted = withLevels(recordsToAdd(records, standing), standing)

  const added = await store.insertCategories(tx, wanted)
  if (added.length > 0 && !isEmpty) bumpScheduleVersion(tx)
  publishAll(
    tx,
    added.map((it) => ({ type: 'CategoryCreated', categoryId: it.id, slug: it.slug })),
  )
  return added
}
