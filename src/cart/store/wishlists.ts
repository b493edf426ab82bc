// Wishlists and what is on them.

import type { Buyer } from '../../base/buyer.ts'
import type { Reader, Tx } from '../../base/db.ts'
import { timedUuid } from '../../base/random.ts'
import type { LineKey } from '../cart.ts'
import { latestFirst, type WishedOffer, type Wishlist } from '../wishlists/wishlist.ts'

type WishTuple = [
  isModerated: boolean,
  offerId: number,
  priceAtAddTiyin: number,
  wasAvailable: boolean,
  addedAt: string,
]

interface WishlistRow {
  id: string
  createdAt: Date
  updatedAt: Date
  wishes: WishTuple[] | null
}

const columns = `list.id, list.created_at as "createdAt", list.updated_at as "updatedAt",
  (select json_agg(json_build_array(is_moderated, offer_id, price_at_add_tiyin, was_available, added_at))
   from cart_wishes where wishlist_id = list.id) as wishes`

const columnOf = ({ kind }: Buyer) => (kind === 'client' ? 'client_id' : 'session_id')
const nameOf = (buyer: Buyer) => (buyer.kind === 'client' ? buyer.clientId : buyer.sessionId)

export async function findWishlist(read: Reader, buyer: Buyer): Promise<Wishlist | undefined> {
  const row = await read.maybe<WishlistRow>(
    `select ${columns} from cart_wishlists list where list.${columnOf(buyer)} = $1`,
    [nameOf(buyer)],
  )
  return row && { ...row, buyer, wishes: (row.wishes ?? []).map(wishOf).toSorted(latestFirst) }
}

const wishOf = (it: WishTuple): WishedOffer => ({
  isModerated: it[0],
  offerId: it[1],
  priceAtAddTiyin: it[2],
  wasAvailable: it[3],
  addedAt: new Date(it[4]),
})

/** Opens the buyer's wishlist or takes it up, locks it, and counts it as looked after. */
export async function openWishlist(tx: Tx, buyer: Buyer): Promise<Wishlist> {
  const column = columnOf(buyer)
  tx.later(
    `insert into cart_wishlists (id, ${column}, created_at, updated_at) values ($1, $2, $3, $3)
     on conflict (${column}) do update set updated_at = $3`,
    [timedUuid(tx.now), nameOf(buyer), tx.now],
  )
  return (await findWishlist(tx, buyer))!
}

/** The buyer's wishlist under its lock, if he has one. */
export function lockedWishlist(tx: Tx, buyer: Buyer): Promise<Wishlist | undefined> {
  tx.later(`select 1 from cart_wishlists where ${columnOf(buyer)} = $1 for update`, [nameOf(buyer)])
  return findWishlist(tx, buyer)
}

export function saveWishes(tx: Tx, wishlistId: string, wishes: readonly WishedOffer[]): void {
  if (wishes.length === 0) return
  tx.later(
    `insert into cart_wishes (wishlist_id, is_moderated, offer_id, price_at_add_tiyin, was_available, added_at)
     select $1, * from unnest($2::bool[], $3::int8[], $4::int8[], $5::bool[], $6::timestamptz[])`,
    [
      wishlistId,
      wishes.map((it) => it.isModerated),
      wishes.map((it) => it.offerId),
      wishes.map((it) => it.priceAtAddTiyin),
      wishes.map((it) => it.wasAvailable),
      wishes.map((it) => it.addedAt.toISOString()),
    ],
  )
}

export function deleteWish(tx: Tx, wishlistId: string, { isModerated, offerId }: LineKey): void {
  tx.later(`delete from cart_wishes where wishlist_id = $1 and is_moderated = $2 and offer_id = $3`, [
    wishlistId,
    isModerated,
    offerId,
  ])
  tx.later(`update cart_wishlists set updated_at = $2 where id = $1`, [wishlistId, tx.now])
}

export function deleteWishlist(tx: Tx, id: string): void {
  tx.later(`delete from cart_wishlists where id = $1`, [id])
}

const stretchRows = 1_000
const beforeAll = '00000000-0000-0000-0000-000000000000'

/**
 * Removes, of the next thousand wishlists along their ids, those that nobody has looked after since an instant. One that
 * somebody is changing now is passed over; one that was changed meanwhile is looked at again before it goes.
 */
export async function removeForgotten(
  tx: Tx,
  { after, until, since }: { after: string | undefined; until: string; since: Date },
): Promise<{ removed: string[]; last: string | undefined }> {
  const rows = await tx.all<{ id: string }>(
    `select id from cart_wishlists where id > $1 and id < $2 order by id limit ${stretchRows}`,
    [after ?? beforeAll, until],
  )
  const removed = await tx.all<{ id: string }>(
    `delete from cart_wishlists where id in (
       select id from cart_wishlists where id = any($1) and updated_at <= $2 for update skip locked)
     and updated_at <= $2 returning id`,
    [rows.map((it) => it.id), since],
  )
  return {
    removed: removed.map((it) => it.id),
    last: rows.length < stretchRows ? undefined : rows.at(-1)!.id,
  }
}

/** Which of these clients have a wishlist. */
export const clientsWithWishlists = async (read: Reader, clientIds: readonly number[]): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select client_id as "clientId" from cart_wishlists where client_id = any($1)`,
      [clientIds],
    )
  ).map((it) => it.clientId)
