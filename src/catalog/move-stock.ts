import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { Shortage, StockMove, StockReason } from './stock.ts'
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
  const summed = summedUp(moves)
  const held = new Map(
    (await store.lockStock(tx, summed)).map((it) => [`${it.kind}/${it.offerId}`, it.onHand]),
  )
  const onHand = (it: StockMove) => held.get(`${it.kind}/${it.offerId}`) ?? 0
  const shortages = summed
    .filter((it) => onHand(it) + it.change < 0 || !held.has(`${it.kind}/${it.offerId}`))
    .map((it) => ({ kind: it.kind, offerId: it.offerId, requested: -it.change, available: onHand(it) }))
  if (shortages.length > 0) return shortages
  if (summed.some((it) => onHand(it) + it.change > mostUnits))
    throw refuse('validation_failed', { fields: [{ path: 'change', rule: 'maximum', limit: mostUnits }] })

  const moved = summed.filter((it) => it.change !== 0)
  await store.changeStock(tx, moved)
  store.noteMovements(
    tx,
    moved.map((it) => ({ ...it, onHand: onHand(it) + it.change })),
    reason,
  )
  await publishAll(
    tx,
    moved.flatMap((it) =>
      stockFacts(it.kind, { offerId: it.offerId, before: onHand(it), after: onHand(it) + it.change }),
    ),
  )
  return []
}

/** Several moves of one offer are one. */
function summedUp(moves: readonly StockMove[]): StockMove[] {
  const groups = Map.groupBy(moves, (it) => `${it.kind}/${it.offerId}`)
  return [...groups.values()].map((them) => ({
    ...them[0]!,
    change: them.reduce((sum, it) => sum + it.change, 0),
  }))
}
