import type { Tx } from '../../base/db.ts'
import { savePopularity } from '../../catalog/index.ts'
import * as store from '../store/behaviour.ts'

const lookBackDays = 90
const halfLifeDays = 14

/** Counts what buyers did lately, recent deeds most, into the catalog's popularity; returns how many products have any. */
export async function countPopularity(tx: Tx): Promise<number> {
  const since = new Date(tx.now.getTime() - lookBackDays * 86_400_000)
  return savePopularity(tx, await store.sumByOffer(tx, { since, halfLifeDays }))
}
