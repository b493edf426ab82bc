// SQL of units on hand and stock movements.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListRequest, loadPage, type ListPage } from '../../base/listing.ts'
import type { OfferKind, StockCause, LockedStock, StockMove, StockReason } from './stock.ts'
import { moderatedOffers, offers } from '../entities/tables.ts'

const tableOf = { offer: offers.name, moderated: moderatedOffers.name }
const kinds = ['offer', 'moderated'] as const

/** Units on hand, locked: ordinary offers first, each kind in the order of ids. */
export async function lockStock(tx: Tx, moves: readonly StockMove[]): Promise<LockedStock[]> {
  const held: LockedStock[] = []
  for (const kind of kinds) {
    const ids = moves.filter((it) => it.kind === kind).map((it) => it.offerId)
    if (ids.length === 0) continue
    const rows = await tx.all<Omit<LockedStock, 'kind'>>(
      `select id as "offerId", quantity as "onHand" from ${tableOf[kind]} where id = any($1) order by id for update`,
      [ids],
    )
    held.push(...rows.map((it) => ({ kind, ...it })))
  }
  return held
}

/**
 * Changes units of locked offers and records the movements. The `limit` makes PostgreSQL expect few rows; without it the
 * statement is planned again for every order, which takes half as long again.
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

/** Records movements of offers whose rows are saved by other statements. */
export function insertMovements(
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
  listing: ListRequest,
  of: { kind: OfferKind; offerId: number },
): Promise<ListPage<Movement>> =>
  loadPage<Movement>(
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
