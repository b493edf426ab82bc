import type { Tx } from '../../base/database.ts'
import * as catalog from '../../catalog/index.ts'
import type { LineUnits } from '../fulfilment/fulfilment.ts'
import { lineOf, type Order } from '../order.ts'

/** Puts units of an order back into stock. Offers that were deleted meanwhile are skipped. */
export async function restock(
  tx: Tx,
  order: Order,
  { units, cause }: { units: readonly LineUnits[]; cause: 'cancelled' | 'returned' },
): Promise<void> {
  const moves = units.map(({ line, quantity }) => {
    const { isModerated, offerId } = lineOf(order, line)!
    return { kind: isModerated ? ('moderated' as const) : ('offer' as const), offerId, change: quantity }
  })
  const reason = { cause, reference: `order/${order.id}` }
  const gone = await catalog.moveStock(tx, moves, reason)
  const left = moves.filter(
    (it) => !gone.some((other) => other.kind === it.kind && other.offerId === it.offerId),
  )
  if (gone.length > 0 && left.length > 0) await catalog.moveStock(tx, left, reason)
}
