import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import type { Kept } from './goods.ts'
import type { Kind } from './kinds.ts'
import { leavePromotions } from './promotions/leave-promotions.ts'
import { noteStock } from './save-goods.ts'
import { turnPage } from './store/promotions.ts'
import { namedByOffers } from './store/references.ts'
import { deleteOne, lockMany } from './store/table.ts'

/** Takes a good off the shelves and returns what it was. One that others hang on stays. */
export async function deleteGood<G extends Kept>(
  tx: Tx,
  kind: Kind<G>,
  { id, ifMatch }: { id: number; ifMatch: number | undefined },
): Promise<G> {
  const [before] = await lockMany(tx, kind.table, [id])
  if (!before) throw refuse('not_found')
  refuseStale(before, ifMatch)

  if (kind.named && (await namedByOffers(tx, kind.named.by, [id])).size > 0)
    throw refuse('conflict', { reason: 'in use' })
  const parting = (await kind.parting?.(tx, [before])) ?? []
  await deleteOne(tx, kind.table, id)
  if (kind.promoted) await leavePromotions(tx, kind.promoted, id)
  if (kind.inBook) turnPage(tx)
  if (kind.stock) noteStock(tx, kind.stock, [{ before, now: tx.now }])
  await publishAll(tx, [...parting, ...kind.facts({ before, now: tx.now })])
  return before
}
