// Single lines, and the reservations on them.

import type { Reader, Tx } from '../../base/db.ts'
import { keyOf, type Line, type LineKey } from '../cart.ts'

/** Writes a line as it is now. */
export function saveLine(tx: Tx, cartId: string, it: Line): void {
  tx.later(
    `insert into cart_items (cart_id, is_moderated, offer_id, quantity, loan_condition_id, price_at_add_tiyin,
       added_at, updated_at, reserved_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (cart_id, is_moderated, offer_id) do update set quantity = $4, loan_condition_id = $5,
       price_at_add_tiyin = $6, updated_at = $8, reserved_until = $9`,
    [
      cartId,
      it.isModerated,
      it.offerId,
      it.quantity,
      it.loanConditionId,
      it.priceAtAddTiyin,
      it.addedAt,
      it.updatedAt,
      it.reservedUntil,
    ],
  )
}

/** Joined with a list of unknown length, this would be planned anew for every cart, which costs four times the deleting. */
export function deleteLines(tx: Tx, cartId: string, keys: readonly LineKey[]): void {
  const idsOf = (isModerated: boolean) =>
    keys.filter((it) => it.isModerated === isModerated).map((it) => it.offerId)
  tx.later(
    `delete from cart_items where cart_id = $1 and offer_id = any(case when is_moderated then $3::int8[] else $2::int8[] end)`,
    [cartId, idsOf(false), idsOf(true)],
  )
}

export function deleteAllLines(tx: Tx, cartId: string): void {
  tx.later(`delete from cart_items where cart_id = $1`, [cartId])
}

/** Makes whoever else reserves these offers wait. Always in the same order, so that two never wait for each other. */
export function lockReservations(tx: Tx, keys: readonly LineKey[]): void {
  const sorted = keys.toSorted(
    (a, b) => a.offerId - b.offerId || Number(a.isModerated) - Number(b.isModerated),
  )
  const values = [sorted.map((it) => it.offerId), sorted.map((it) => it.isModerated)]
  tx.later(
    `insert into cart_reserved_offers (offer_id, is_moderated)
     select offer_id, is_moderated from unnest($1::int8[], $2::bool[]) as wanted (offer_id, is_moderated)
     order by offer_id, is_moderated on conflict do nothing`,
    values,
  )
  tx.later(
    `select 1 from cart_reserved_offers where (offer_id, is_moderated) in (
       select offer_id, is_moderated from unnest($1::int8[], $2::bool[]) as wanted (offer_id, is_moderated))
     order by offer_id, is_moderated for update`,
    values,
  )
}

/** Units that other carts have reserved at this moment, by offer. */
export async function reservedByOthers(
  read: Reader,
  keys: readonly LineKey[],
  cartIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await read.all<LineKey & { units: number }>(
    `select line.offer_id as "offerId", line.is_moderated as "isModerated", sum(line.quantity) as units
     from unnest($1::int8[], $2::bool[]) as wanted (offer_id, is_moderated)
     join cart_items line on line.offer_id = wanted.offer_id and line.is_moderated = wanted.is_moderated
     where line.reserved_until > $3 and not (line.cart_id = any($4))
     group by line.offer_id, line.is_moderated`,
    [keys.map((it) => it.offerId), keys.map((it) => it.isModerated), read.now, cartIds],
  )
  return new Map(rows.map((it) => [keyOf(it), it.units]))
}

/** Gives up the reservations of an offer that were made up to an instant, whoever holds them. */
export function releaseOffer(tx: Tx, key: LineKey, at: Date): void {
  tx.later(
    `update cart_items set reserved_until = null
     where offer_id = $1 and is_moderated = $2 and reserved_until is not null and updated_at <= $3`,
    [key.offerId, key.isModerated, at],
  )
}
