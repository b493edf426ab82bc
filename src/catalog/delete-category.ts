import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import type { Category } from './category.ts'
import { leavePromotions } from './promotions/leave-promotions.ts'
import * as store from './store/categories.ts'
import { deleteOne } from './store/table.ts'
import { categories } from './store/tables.ts'

/** Takes a category off the shelves and returns what it was. */
export async function deleteCategory(tx: Tx, id: number, ifMatch: number | undefined): Promise<Category> {
  const category = await store.lockCategory(tx, id)
  if (!category) throw refuse('not_found')
  refuseStale(category, ifMatch)
  if (await store.hasChildren(tx, id)) throw refuse('conflict', { reason: 'it has categories below it' })

  await deleteOne(tx, categories, id)
  await leavePromotions(tx, 'categoryIds', id)
  await publish(tx, { type: 'CategoryDeleted', categoryId: id })
  return category
}
