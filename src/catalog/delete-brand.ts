import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import type { Brand } from './brand.ts'
import * as store from './store.ts'

/** Takes a brand off the shelves and returns what it was. */
export async function deleteBrand(tx: Tx, id: number, ifMatch: number | undefined): Promise<Brand> {
  const brand = await store.lockBrand(tx, id)
  if (!brand) throw refuse('not_found')
  refuseStale(brand, ifMatch)

  await store.deleteBrand(tx, id)
  await publish(tx, { type: 'BrandDeleted', brandId: id })
  return brand
}
