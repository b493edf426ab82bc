import type { Tx } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import { moveStock } from './move-stock.ts'
import type { StockMove } from './stock.ts'

/** Corrects what is on hand by so many units, with a reason for the book. */
export async function adjustStock(tx: Tx, move: StockMove, reason: string): Promise<void> {
  const [shortage] = await moveStock(tx, [move], { cause: 'adjusted', reference: reason })
  if (!shortage) return
  throw refuse('stock_exceeded', {
    violations: [
      {
        code: 'stock_exceeded',
        offer_id: shortage.offerId,
        requested: shortage.requested,
        available: shortage.available,
        remedy: { change: -shortage.available },
      },
    ],
  })
}
