import type { Tx } from '../base/db.ts'
import { stockBrands, stockCategories } from '../catalog/index.ts'
import { brands } from './brands.ts'
import { categories } from './categories.ts'

/** Fills the shelves and says how much it put there. What stands already, by its id, stays as it is. */
export async function stockDemoShop(tx: Tx): Promise<{ categories: number; brands: number }> {
  const newCategories = await stockCategories(tx, categories)
  const newBrands = await stockBrands(tx, brands)
  return { categories: newCategories.length, brands: newBrands.length }
}
