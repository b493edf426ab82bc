import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import type { Brand, BrandRecord } from './brand.ts'
import * as store from './store.ts'

/** Changes what is named and keeps the rest. A change that changes nothing tells nothing. */
export async function changeBrand(
  tx: Tx,
  id: number,
  { changes, ifMatch }: { changes: Partial<BrandRecord>; ifMatch: number | undefined },
): Promise<Brand> {
  const before = await store.lockBrand(tx, id)
  if (!before) throw refuse('not_found')
  refuseStale(before, ifMatch)

  const after = { ...before, ...changes, id }
  if (after.slug === before.slug && after.name === before.name) return before

  const saved = await store.updateBrand(tx, after)
  await publish(tx, { type: 'BrandChanged', brandId: id, slug: saved.slug })
  return saved
}
