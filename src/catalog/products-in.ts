import type { Reader } from '../base/db.ts'
import { productsOfBrand, productsOfCategory } from './store/places.ts'

/** Where a product may stand: in a category or anywhere below it, or under a brand. */
type Place = { categoryId: number } | { brandId: number }

/** Which of these products stand in a place. */
export const productsIn = async (
  read: Reader,
  productIds: readonly number[],
  place: Place,
): Promise<Set<number>> =>
  new Set(
    'categoryId' in place
      ? await productsOfCategory(read, productIds, place.categoryId)
      : await productsOfBrand(read, productIds, place.brandId),
  )
