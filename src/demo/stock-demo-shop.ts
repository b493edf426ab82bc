import type { Tx } from '../base/db.ts'
import { createBrand, createCategory } from '../catalog/index.ts'

/** Fills the shelves of an empty shop and says how much it put there. */
export async function stockDemoShop(tx: Tx): Promise<{ categories: number; brands: number }> {
  await createCategory(tx, {
    id: 1,
    parentId: null,
    slug: 'phones',
    name: { ru: 'Телефоны' },
    description: {},
    imageUrl: null,
  })
  await createBrand(tx, { id: 1, slug: 'artel', name: 'Artel' })
  return { categories: 1, brands: 1 }
}
