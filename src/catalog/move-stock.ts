import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { Shortage, StockHeld, StockMove, StockReason } from './stock.ts'
import { mostUnits, stockFacts } from './stock.ts'
import * as store from './store/stock.ts'

/**
 * Moves units of many offers at once: all of them, or none when one has too few. Offers are held in the order of their
 * ids, so two movers never wait for each other in a ring. Returns what there was too little of.
 */
export async function moveStock(
  tx: Tx,
  moves: readonly StockMove[],
  reason: StockReason,
): Promise<Shortage[]> {
  return moveHeldStock(tx, { moves, held: await store.lockStock(tx, moves) }, reason)
}

/** The same of offers that this transaction holds already, and of which it knows what is on hand. */
export async function moveHeldStock(
  tx: Tx,
  { moves, held }: { moves: readonly StockMove[]; held: readonly StockHeld[] },
  reason: StockReason,
): Promise<Shortage[]> {
  const units = new Map(held.map((it) => [nameOf(it), it.onHand]))
  const onHand = (it: StockMove) => units.get(nameOf(it)) ?? 0
  const summed = summedUp(moves)
  const shortages = summed
    .filter((it) => onHand(it) + it.change < 0 || !units.has(nameOf(it)))
    .map((it) => ({ kind: it.kind, offerId: it.offerId, requested: -it.change, available: onHand(it) }))
  if (shortages.length > 0) return shortages
  if (summed.some((it) => onHand(it) + it.change > mostUnits))
    throw refuse('validation_failed', { fields: [{ path: 'change', rule: 'maximum', limit: mostUnits }] })

  const moved = summed.filter((it) => it.change !== 0)
  store.changeStock(tx, moved, reason)
  await publishAll(
    tx,
    moved.flatMap((it) =>
      stockFacts(it.kind, { offerId: it.offerId, before: onHand(it), after: onHand(it) + it.change }),
    ),
  )
  return []
}

const nameOf = ({ kind, offerId }: Pick<StockMove, 'kind' | 'offerId'>): string => `${kind}/${offerId}`

/** Several moves of one offer are one. */
function summedUp(moves: readonly StockMove[]): StockMove[] {
  const groups = Map.groupBy(moves, nameOf)
  return [...groups.values()].map((them) => ({
    ...them[0]!,
    change: them.reduce((sum, it) => sum + it.change, 0),
  }))
}
