import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import type { Brand, BrandRecord } from './brand.ts'
import * as store from './store.ts'

/** Adds a brand. Its slug, and its id if it brings one, must be free. */
export async function createBrand(tx: Tx, record: BrandRecord): Promise<Brand> {
  const brand = await store.insertBrand(tx, record)
  await publish(tx, { type: 'BrandCreated', brandId: brand.id, slug: brand.slug })
  return brand
}
