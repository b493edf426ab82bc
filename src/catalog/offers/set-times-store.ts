// When fields of offers were last set here: by a member, an API call or an import, and not by an external system.

import type { Reader, Tx } from '../../base/database.ts'
import type { Offer } from '../entities/entities.ts'

interface OfferChange {
  before?: Offer
  after?: Offer
}

export type SetField = 'price' | 'quantity' | 'sale'

function changedFields({ before, after }: OfferChange): SetField[] {
  if (!before || !after) return []
  const hasChanged = {
    price: before.priceTiyin !== after.priceTiyin,
    quantity: before.quantity !== after.quantity,
    sale: before.isActive !== after.isActive || before.isVisible !== after.isVisible,
  }
  return (['price', 'quantity', 'sale'] as const).filter((it) => hasChanged[it])
}

export function recordSetTimes(tx: Tx, changes: readonly OfferChange[]): void {
  const set = changes.flatMap((it) => changedFields(it).map((field) => ({ id: it.after!.id, field })))
  if (set.length === 0) return
  tx.later(
    `insert into catalog_offer_set_times (offer_id, field, at) select offer_id, field, $3
     from unnest($1::int8[], $2::text[]) as changed (offer_id, field) order by offer_id, field
     on conflict (offer_id, field) do update set at = excluded.at`,
    [set.map((it) => it.id), set.map((it) => it.field), tx.now],
  )
}

/** Whether a field was set here after an instant. */
export const isSetAfter = async (
  read: Reader,
  { offerId, field, at }: { offerId: number; field: SetField; at: Date },
): Promise<boolean> =>
  (await read.maybe(`select 1 from catalog_offer_set_times where offer_id = $1 and field = $2 and at > $3`, [
    offerId,
    field,
    at,
  ])) !== undefined
