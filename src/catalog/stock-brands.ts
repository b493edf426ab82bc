import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import type { Brand, BrandRecord } from './brand.ts'
import { type Identified, missing } from './missing.ts'
import * as store from './store.ts'

/** Adds the brands whose ids are free, all at once, and returns them. Those that stand already stay as they are. */
export async function stockBrands(tx: Tx, records: readonly Identified<BrandRecord>[]): Promise<Brand[]> {
  const wanted = missing(records, await store.brandsAmong(tx, records))

  const added = await store.insertBrands(tx, wanted)
  await publishAll(
    tx,
    added.map((it) => ({ type: 'BrandCreated', brandId: it.id, slug: it.slug })),
  )
  return added
}
