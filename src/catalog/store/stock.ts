// Units on hand, and the book of their movements.

import type { Reader, Tx } from '../../base/db.ts'
import { type Listing, sliceOf, type Slice } from '../../base/listing.ts'
import type { OfferKind, StockCause, StockHeld, StockMove, StockReason } from '../stock.ts'
import { moderatedOffers, offers } from './tables.ts'

const tableOf = { offer: offers.name, moderated: moderatedOffers.name }
const kinds = ['offer', 'moderated'] as const

/** What is on hand, held for this transaction: ordinary offers first, each kind in the order of ids. */
export async function lockStock(tx: Tx, moves: readonly StockMove[]): Promise<StockHeld[]> {
  const held: StockHeld[] = []
  for (const kind of kinds) {
    const ids = moves.filter((it) => it.kind === kind).map((it) => it.offerId)
    if (ids.length === 0) continue
    const rows = await tx.all<Omit<StockHeld, 'kind'>>(
      `select id as "offerId", quantity as "onHand" from ${tableOf[kind]} where id = any($1) order by id for update`,
      [ids],
    )
    held.push(...rows.map((it) => ({ kind, ...it })))
  }
  return held
}

/**
 * Moves units of offers that are held, and writes the book, with what is on hand after each movement. Without the limit,
 * which tells it to expect few, the database plans this statement anew for every order: that costs half as much again.
 */
export function changeStock(tx: Tx, moves: readonly StockMove[], { cause, reference }: StockReason): void {
  for (const kind of kinds) {
    const its = moves.filter((it) => it.kind === kind)
    if (its.length === 0) continue
    tx.later(
      `with moved as (
         update ${tableOf[kind]} as offer set quantity = offer.quantity + move.change, version = offer.version + 1, updated_at = $3
         from (select * from unnest($1::int8[], $2::int4[]) as move (id, change) limit $6) as move where offer.id = move.id
         returning offer.id, move.change, offer.quantity)
       insert into catalog_stock_movements (offer_kind, offer_id, change, on_hand, cause, reference, at)
       select '${kind}', id, change, quantity, $4, $5, $3 from moved order by id`,
      [its.map((it) => it.offerId), its.map((it) => it.change), tx.now, cause, reference, its.length],
    )
  }
}

/** Writes movements of offers that are saved in another way into the book, with what was on hand after each. */
export function noteMovements(
  tx: Tx,
  moves: readonly (StockMove & { onHand: number })[],
  { cause, reference }: StockReason,
): void {
  if (moves.length === 0) return
  tx.later(
    `insert into catalog_stock_movements (offer_kind, offer_id, change, on_hand, cause, reference, at)
     select kind, offer_id, change, on_hand, $5, $6, $7::timestamptz
     from unnest($1::text[], $2::int8[], $3::int4[], $4::int4[]) as move (kind, offer_id, change, on_hand)`,
    [
      moves.map((it) => it.kind),
      moves.map((it) => it.offerId),
      moves.map((it) => it.change),
      moves.map((it) => it.onHand),
      cause,
      reference,
      tx.now,
    ],
  )
}

export interface Movement {
  id: number
  change: number
  onHand: number
  cause: StockCause
  reference: string | null
  at: Date
}

export const listMovements = (
  read: Reader,
  listing: Listing,
  of: { kind: OfferKind; offerId: number },
): Promise<Slice<Movement>> =>
  sliceOf<Movement>(
    read,
    {
      columns: 'id, change, on_hand as "onHand", cause, reference, at',
      from: 'catalog_stock_movements',
      where: ['offer_kind = $1', 'offer_id = $2'],
      values: [of.kind, of.offerId],
      sorts: { id: { by: 'id', type: 'int8' } },
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )
