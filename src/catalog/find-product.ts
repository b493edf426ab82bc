import type { Reader } from '../base/db.ts'
import { productMemory, type ProductSheet } from './sheets.ts'
import * as store from './store/sheets.ts'

/** Products with all that stands behind them; unknown ids are left out. */
export const findSheets = (read: Reader, ids: readonly number[]): Promise<Map<number, ProductSheet>> =>
  read.recall(productMemory, ids, (missing) => store.loadProductSheets(read, missing))

export const findSheet = async (read: Reader, id: number): Promise<ProductSheet | undefined> =>
  (await findSheets(read, [id])).get(id)
