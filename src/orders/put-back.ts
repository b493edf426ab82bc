import type { Tx } from '../base/db.ts'
import * as catalog from '../catalog/index.ts'
import type { LineUnits } from './fulfilment.ts'
import { lineOf, type Order } from './order.ts'

/** Puts units of an order back on the shelf. Offers that are gone meanwhile have no shelf to go to. */
export async function putBack(
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
  const left = moves.filter((it) => !gone.some((one) => one.kind === it.kind && one.offerId === it.offerId))
  if (gone.length > 0 && left.length > 0) await catalog.moveStock(tx, left, reason)
}
