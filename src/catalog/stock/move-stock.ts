import * as store from './store.ts'
import type { Tx } from '../../base/database.ts'
import { publishAll } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import {
  type LockedStock,
  maxUnits,
  type Shortage,
  stockEvents,
  type StockMove,
  type StockReason,
} from './stock.ts'

/**
 * Moves units of many offers: all of them, or none when one has too few. Offers are locked in the order of their ids, so
 * that two transactions never deadlock. Returns the shortages.
 */
export async function moveStock(
  tx: Tx,
  moves: readonly StockMove[],
  reason: StockReason,
): Promise<Shortage[]> {
  return moveLockedStock(tx, { moves, held: await store.lockStock(tx, moves) }, reason)
}

/** The same for offers that this transaction has locked and read already. */
export async function moveLockedStock(
  tx: Tx,
  { moves, held }: { moves: readonly StockMove[]; held: readonly LockedStock[] },
  reason: StockReason,
): Promise<Shortage[]> {
  const units = new Map(held.map((it) => [keyOf(it), it.onHand]))
  const onHand = (it: StockMove) => units.get(keyOf(it)) ?? 0
  const summed = totalMoves(moves)
  const shortages = summed
    .filter((it) => onHand(it) + it.change < 0 || !units.has(keyOf(it)))
    .map((it) => ({ kind: it.kind, offerId: it.offerId, requested: -it.change, available: onHand(it) }))
  if (shortages.length > 0) return shortages
  if (summed.some((it) => onHand(it) + it.change > maxUnits))
    throw refuse('validation_failed', { fields: [{ path: 'change', rule: 'maximum', limit: maxUnits }] })

  const moved = summed.filter((it) => it.change !== 0)
  store.changeStock(tx, moved, reason)
  publishAll(
    tx,
    moved.flatMap((it) =>
      stockEvents(it.kind, { offerId: it.offerId, before: onHand(it), after: onHand(it) + it.change }),
    ),
  )
  return []
}

const keyOf = ({ kind, offerId }: Pick<StockMove, 'kind' | 'offerId'>): string => `${kind}/${offerId}`

/** Adds up several moves of one offer. */
function totalMoves(moves: readonly StockMove[]): StockMove[] {
  const groups = Map.groupBy(moves, keyOf)
  return [...groups.values()].map((them) => ({
    ...them[0]!,
    change: them.reduce((sum, it) => sum + it.change, 0),
  }))
}

/** Adjusts the units on hand, with a reason. */
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
        remedy: { action: 'adjust_stock', change: -shortage.available },
      },
    ],
  })
}
