import type { Reader } from '../base/db.ts'
import { seasonNow } from './promotions/season-now.ts'
import { productsInSeason } from './promotions/sheets-in-season.ts'
import { productMemory, type ProductSheet } from './sheets.ts'
import * as store from './store/sheets.ts'

/** Products with all that stands behind them, at the prices of the reader's instant; unknown ids are left out. */
export async function findSheets(read: Reader, ids: readonly number[]): Promise<Map<number, ProductSheet>> {
  const [products, season] = await Promise.all([
    read.recall(productMemory, ids, (missing) => store.loadProductSheets(read, missing)),
    seasonNow(read),
  ])
  return productsInSeason(products, season)
}

export const findSheet = async (read: Reader, id: number): Promise<ProductSheet | undefined> =>
  (await findSheets(read, [id])).get(id)
