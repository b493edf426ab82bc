// Clients by the contents of their carts and wishlists, in pages ordered by client id.

import type { Reader, Tx } from '../../base/database.ts'
import type { LineKey } from './cart.ts'
import type { WishlistItem } from '../wishlists/wishlist.ts'
import { clientsWithCarts } from './store.ts'
import { clientsInSharedCarts } from '../shared-carts/store.ts'
import { clientsWithWishlists } from '../wishlists/store.ts'

const idsOf = (rows: readonly { clientId: number }[]): number[] => rows.map((it) => it.clientId)

export const clientsWithCartsAfter = async (read: Reader, after: number, limit: number): Promise<number[]> =>
  idsOf(
    await read.all(
      `select client_id as "clientId" from cart_carts where client_id > $1 order by client_id limit $2`,
      [after, limit],
    ),
  )

export const clientsWithWishlistsAfter = async (
  read: Reader,
  after: number,
  limit: number,
): Promise<number[]> =>
  idsOf(
    await read.all(
      `select client_id as "clientId" from cart_wishlists where client_id > $1 order by client_id limit $2`,
      [after, limit],
    ),
  )

/** A client's cart with at least one line that has not changed for a while. */
export interface LeftCart {
  clientId: number
  cartId: string
  changedAt: Date
}

const leftColumns = `client_id as "clientId", id as "cartId", updated_at as "changedAt"`
const hasLines = `exists (select 1 from cart_items where cart_id = cart_carts.id)`

/** Carts of clients with at least one line whose last change is in a period. */
export const cartsLeftWithin = (
  read: Reader,
  { from, until }: { from: Date; until: Date },
  { after, limit }: { after: number; limit: number },
): Promise<LeftCart[]> =>
  read.all(
    `select ${leftColumns} from cart_carts
     where client_id > $1 and updated_at > $2 and updated_at <= $3 and ${hasLines} order by client_id limit $4`,
    [after, from, until, limit],
  )

export const cartsLeftBefore = (
  read: Reader,
  until: Date,
  clientIds: readonly number[],
): Promise<LeftCart[]> =>
  read.all(
    `select ${leftColumns} from cart_carts where client_id = any($1) and updated_at <= $2 and ${hasLines}`,
    [clientIds, until],
  )

/** Which of these clients have changed their cart or wishlist since an instant. */
export const clientsBusySince = async (
  read: Reader,
  clientIds: readonly number[],
  since: Date,
): Promise<number[]> =>
  idsOf(
    await read.all(
      `select client_id as "clientId" from cart_carts where client_id = any($1) and updated_at > $2
       union select client_id from cart_wishlists where client_id = any($1) and updated_at > $2`,
      [clientIds, since],
    ),
  )

export type ClientWishlistItem = WishlistItem & { clientId: number }

const wishlistItemColumns = `list.client_id as "clientId", item.is_moderated as "isModerated", item.offer_id as "offerId",
  item.price_at_add_tiyin as "priceAtAddTiyin", item.was_available as "wasAvailable", item.added_at as "addedAt"`

/** The wishlist items of these clients: all, or only those marked unavailable. */
export const wishlistItemsOfClients = (
  read: Reader,
  clientIds: readonly number[],
  which: 'all' | 'unavailable',
): Promise<ClientWishlistItem[]> =>
  read.all(
    `select ${wishlistItemColumns} from cart_wishlists list join cart_wishlist_items item on item.wishlist_id = list.id
     where list.client_id = any($1) and (not item.was_available or $2)
     order by list.client_id, item.added_at desc, item.offer_id`,
    [clientIds, which === 'all'],
  )

/** Offers on any wishlist, ordered by key. */
export const wishlistOffersAfter = (read: Reader, after: LineKey, limit: number): Promise<LineKey[]> =>
  read.all(
    `select distinct is_moderated as "isModerated", offer_id as "offerId" from cart_wishlist_items
     where (is_moderated, offer_id) > ($1, $2) order by is_moderated, offer_id limit $3`,
    [after.isModerated, after.offerId, limit],
  )

/** Marks the wishlist items of these offers unavailable; returns how many were marked. */
export const markUnavailable = async (tx: Tx, offers: readonly LineKey[]): Promise<number> =>
  (
    await tx.all(
      `update cart_wishlist_items item set was_available = false
       from unnest($1::bool[], $2::int8[]) as gone (is_moderated, offer_id)
       where item.is_moderated = gone.is_moderated and item.offer_id = gone.offer_id and item.was_available returning 1`,
      [offers.map((it) => it.isModerated), offers.map((it) => it.offerId)],
    )
  ).length

/** Which of these clients own data here. Their ids must not be given to new clients. */
export async function findOwners(read: Reader, clientIds: readonly number[]): Promise<number[]> {
  const found = await Promise.all(
    [clientsWithCarts, clientsWithWishlists, clientsInSharedCarts].map((ask) => ask(read, clientIds)),
  )
  return [...new Set(found.flat())]
}
