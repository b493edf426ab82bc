import type { Tx } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import type { Brand, Said } from './goods.ts'
import { brandKind } from './kinds.ts'
import type { Identified } from './missing.ts'
import { saveGoods } from './save-goods.ts'
import { idsAmong } from './store/table.ts'
import { brands } from './store/tables.ts'

export type BrandRecord = Said<Brand>

/** Adds the brands whose ids are free, all at once, and returns them. Those that stand already stay as they are. */
export async function stockBrands(tx: Tx, records: readonly Identified<BrandRecord>[]): Promise<Brand[]> {
  const standing = await idsAmong(
    tx,
    brands,
    records.map((it) => it.id),
  )
  const wanted = records.filter((it) => !standing.has(it.id))
  const { goods, refused } = await saveGoods(tx, brandKind, wanted)
  const [clash] = refused
  if (clash) throw refuse('conflict', { field: 'slug', value: wanted[clash.at]!.slug, reason: 'taken' })
  return goods as Brand[]
}
