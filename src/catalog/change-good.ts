import type { Tx } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import { saveOne } from './create-good.ts'
import type { Kept, Said } from './goods.ts'
import type { Kind } from './kinds.ts'
import { lockMany } from './store/table.ts'

/** Brings a good to what is said of it now. What is as it was keeps its version and tells nothing. */
export async function changeGood<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  {
    id,
    ifMatch,
    said,
  }: { id: number; ifMatch: number | undefined; said: (before: G) => Said<G> | Promise<Said<G>> },
): Promise<G> {
  const [before] = await lockMany(tx, kind.table, [id])
  if (!before) throw refuse('not_found')
  refuseStale(before, ifMatch)
  return saveOne(tx, kind, { ...(await said(before)), id })
}
