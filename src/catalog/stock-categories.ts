import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import { type Category, type CategoryRecord, withLevels } from './category.ts'
import { type Identified, missing } from './missing.ts'
import * as store from './store/categories.ts'
import { turnPage } from './store/promotions.ts'

/**
 * Adds the categories whose ids are free, all at once, and returns them. Those that stand already stay as they are,
 * wherever they were moved to; parents come before their children.
 */
export async function stockCategories(
  tx: Tx,
  records: readonly Identified<CategoryRecord>[],
): Promise<Category[]> {
  await store.lockTree(tx)
  const standing = await store.categoriesAmong(tx, records)
  const wanted = withLevels(missing(records, standing), standing)

  const added = await store.insertCategories(tx, wanted)
  if (added.length > 0) turnPage(tx)
  await publishAll(
    tx,
    added.map((it) => ({ type: 'CategoryCreated', categoryId: it.id, slug: it.slug })),
  )
  return added
}
