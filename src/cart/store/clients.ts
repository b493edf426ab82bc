// Clients by what lies in their carts and on their wishlists, a page at a time in the order of their ids.

import type { Reader, Tx } from '../../base/db.ts'
import type { LineKey } from '../cart.ts'
import type { WishedOffer } from '../wishlists/wishlist.ts'

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

/** A client's cart that holds something and has stayed as it is. */
export interface LeftCart {
  clientId: number
  cartId: string
  changedAt: Date
}

const leftColumns = `client_id as "clientId", id as "cartId", updated_at as "changedAt"`
const hasLines = `exists (select 1 from cart_items where cart_id = cart_carts.id)`

/** Carts of clients that hold something and were last changed in a period. */
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

/** Which of these clients have touched their cart or their wishlist since an instant. */
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

export type ClientsWish = WishedOffer & { clientId: number }

const wishColumns = `list.client_id as "clientId", wish.is_moderated as "isModerated", wish.offer_id as "offerId",
  wish.price_at_add_tiyin as "priceAtAddTiyin", wish.was_available as "wasAvailable", wish.added_at as "addedAt"`

/** What these clients wish for; of those who wished in vain alone, if that is asked. */
export const wishesOfClients = (
  read: Reader,
  clientIds: readonly number[],
  which: 'all' | 'in vain',
): Promise<ClientsWish[]> =>
  read.all(
    `select ${wishColumns} from cart_wishlists list join cart_wishes wish on wish.wishlist_id = list.id
     where list.client_id = any($1) and (not wish.was_available or $2)
     order by list.client_id, wish.added_at desc, wish.offer_id`,
    [clientIds, which === 'all'],
  )

/** Offers that somebody wishes for, in the order of their keys. */
export const wishedOffersAfter = (read: Reader, after: LineKey, limit: number): Promise<LineKey[]> =>
  read.all(
    `select distinct is_moderated as "isModerated", offer_id as "offerId" from cart_wishes
     where (is_moderated, offer_id) > ($1, $2) order by is_moderated, offer_id limit $3`,
    [after.isModerated, after.offerId, limit],
  )

/** Notes that whoever wishes for one of these does so in vain; returns how many wishes that are. */
export const noteInVain = async (tx: Tx, offers: readonly LineKey[]): Promise<number> =>
  (
    await tx.all(
      `update cart_wishes wish set was_available = false
       from unnest($1::bool[], $2::int8[]) as gone (is_moderated, offer_id)
       where wish.is_moderated = gone.is_moderated and wish.offer_id = gone.offer_id and wish.was_available returning 1`,
      [offers.map((it) => it.isModerated), offers.map((it) => it.offerId)],
    )
  ).length
