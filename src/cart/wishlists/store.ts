// Wishlists and their items.

import type { Buyer } from '../../base/buyer.ts'
import type { Reader, Tx } from '../../base/database.ts'
import { timedUuid } from '../../base/random.ts'
import { readLocked } from '../../base/read-locked.ts'
import type { LineKey } from '../carts/cart.ts'
import { latestFirst, type WishlistItem, type Wishlist } from './wishlist.ts'

type ItemRow = Omit<WishlistItem, 'addedAt'> & { addedAt: string }

interface WishlistRow {
  id: string
  createdAt: Date
  updatedAt: Date
  items: ItemRow[] | null
}

const columns = `list.id, list.created_at as "createdAt", list.updated_at as "updatedAt",
  (select json_agg(json_build_object('isModerated', is_moderated, 'offerId', offer_id, 'priceAtAddTiyin', price_at_add_tiyin,
     'wasAvailable', was_available, 'addedAt', added_at))
   from cart_wishlist_items where wishlist_id = list.id) as items`

const columnOf = ({ kind }: Buyer) => (kind === 'client' ? 'client_id' : 'session_id')
const buyerKey = (buyer: Buyer) => (buyer.kind === 'client' ? buyer.clientId : buyer.sessionId)

export async function findWishlist(read: Reader, buyer: Buyer): Promise<Wishlist | undefined> {
  const row = await read.maybe<WishlistRow>(
    `select ${columns} from cart_wishlists list where list.${columnOf(buyer)} = $1`,
    [buyerKey(buyer)],
  )
  if (!row) return undefined
  return { ...row, buyer, items: (row.items ?? []).map(itemFrom).toSorted(latestFirst) }
}

const itemFrom = (row: ItemRow): WishlistItem => ({ ...row, addedAt: new Date(row.addedAt) })

/** Creates or locks the buyer's wishlist and sets the time of its last change. */
export async function openWishlist(tx: Tx, buyer: Buyer): Promise<Wishlist> {
  const column = columnOf(buyer)
  tx.later(
    `insert into cart_wishlists (id, ${column}, created_at, updated_at) values ($1, $2, $3, $3)
     on conflict (${column}) do update set updated_at = $3`,
    [timedUuid(tx.now), buyerKey(buyer), tx.now],
  )
  return (await findWishlist(tx, buyer))!
}

/** The buyer's wishlist under its lock, if there is one. */
export const lockWishlist = (tx: Tx, buyer: Buyer): Promise<Wishlist | undefined> =>
  readLocked(tx, {
    lock: () =>
      tx.maybe(`select id from cart_wishlists where ${columnOf(buyer)} = $1 for update`, [buyerKey(buyer)]),
    read: () => findWishlist(tx, buyer),
  })

export function saveWishlistItems(tx: Tx, wishlistId: string, items: readonly WishlistItem[]): void {
  if (items.length === 0) return
  tx.later(
    `insert into cart_wishlist_items (wishlist_id, is_moderated, offer_id, price_at_add_tiyin, was_available, added_at)
     select $1, * from unnest($2::bool[], $3::int8[], $4::int8[], $5::bool[], $6::timestamptz[])`,
    [
      wishlistId,
      items.map((it) => it.isModerated),
      items.map((it) => it.offerId),
      items.map((it) => it.priceAtAddTiyin),
      items.map((it) => it.wasAvailable),
      items.map((it) => it.addedAt.toISOString()),
    ],
  )
}

export function deleteWishlistItem(tx: Tx, wishlistId: string, { isModerated, offerId }: LineKey): void {
  tx.later(`delete from cart_wishlist_items where wishlist_id = $1 and is_moderated = $2 and offer_id = $3`, [
    wishlistId,
    isModerated,
    offerId,
  ])
  tx.later(`update cart_wishlists set updated_at = $2 where id = $1`, [wishlistId, tx.now])
}

export function deleteWishlist(tx: Tx, id: string): void {
  tx.later(`delete from cart_wishlists where id = $1`, [id])
}

const batchRows = 1_000
const beforeAll = '00000000-0000-0000-0000-000000000000'

/**
 * Takes the next batch of wishlists by id and removes those unchanged since an instant. A wishlist that is locked is
 * skipped. The condition is checked again under the lock, because a wishlist may have changed meanwhile.
 */
export async function removeUnchangedWishlists(
  tx: Tx,
  { after, until, since }: { after: string | undefined; until: string; since: Date },
): Promise<{ removed: string[]; last: string | undefined }> {
  const rows = await tx.all<{ id: string }>(
    `select id from cart_wishlists where id > $1 and id < $2 order by id limit ${batchRows}`,
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
    last: rows.length < batchRows ? undefined : rows.at(-1)!.id,
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
