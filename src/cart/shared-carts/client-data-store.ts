// The shared carts of one client, for the administration of clients.

import type { Tx } from '../../base/database.ts'

/** Gives the places of a duplicate in shared carts to the client that is kept. */
export async function moveSharedCarts(tx: Tx, { from, into }: { from: number; into: number }): Promise<void> {
  await touchSharedCartsOf(tx, from)
  const both = await tx.all<{ id: string; kept: number; left: number }>(
    `select shared_cart_id as id, min(place)::int4 as kept, max(place)::int4 as left from cart_shared_members
     where client_id = any($1) group by shared_cart_id having count(*) = 2`,
    [[from, into]],
  )
  for (const it of both) await joinPlaces(tx, it)
  await tx.all(`update cart_shared_members set client_id = $2 where client_id = $1`, [from, into])
}

/** Moves the lines of the later place to the earlier one, which may be that of the creator, and removes the later. */
async function joinPlaces(
  tx: Tx,
  { id, kept, left }: { id: string; kept: number; left: number },
): Promise<void> {
  await tx.all(
    `insert into cart_shared_items as line
       (shared_cart_id, is_moderated, offer_id, place, quantity, price_at_add_tiyin, added_at, updated_at)
     select shared_cart_id, is_moderated, offer_id, $2, quantity, price_at_add_tiyin, added_at, updated_at
     from cart_shared_items where shared_cart_id = $1 and place = $3
     on conflict (shared_cart_id, is_moderated, offer_id, place)
     do update set quantity = least(line.quantity + excluded.quantity, 9999)`,
    [id, kept, left],
  )
  await tx.all(`update cart_shared_carts set taken_by = $2 where id = $1 and taken_by = $3`, [id, kept, left])
  await tx.all(
    `update cart_shared_members kept set joined_at = coalesce(kept.joined_at, later.joined_at)
     from cart_shared_members later
     where kept.shared_cart_id = $1 and kept.place = $2 and later.shared_cart_id = $1 and later.place = $3`,
    [id, kept, left],
  )
  await tx.all(`delete from cart_shared_members where shared_cart_id = $1 and place = $2`, [id, left])
}

/** Deletes the shared carts that a client created, and the client's place and lines in those of others. */
export async function eraseSharedCarts(tx: Tx, clientId: number): Promise<void> {
  await touchSharedCartsOf(tx, clientId)
  await tx.all(
    `delete from cart_shared_carts where id in
       (select shared_cart_id from cart_shared_members where client_id = $1 and place = 0)`,
    [clientId],
  )
  await tx.all(
    `update cart_shared_carts shared set taken_by = null from cart_shared_members member
     where member.client_id = $1 and shared.id = member.shared_cart_id and shared.taken_by = member.place`,
    [clientId],
  )
  await tx.all(`delete from cart_shared_members where client_id = $1`, [clientId])
}

/** Gives the shared carts of a client a new version. Other changes of them wait until this one is committed. */
const touchSharedCartsOf = (tx: Tx, clientId: number): Promise<unknown> =>
  tx.all(
    `update cart_shared_carts set version = version + 1, updated_at = $2 where id in
       (select shared_cart_id from cart_shared_members where client_id = $1)`,
    [clientId, tx.now],
  )
