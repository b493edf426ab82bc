// Carts and lines whose time is over. Carts are walked along their ids, which grow with time, a stretch at a time: a
// table of millions is passed once, and no index has to follow every change of a cart.

import type { Reader, Tx } from '../../base/db.ts'

const stretchRows = 1_000

export interface Stretch {
  /** The last id of the stretch before; undefined at the beginning. */
  after: string | undefined
  /** Ids from this one on are too young to be looked at. */
  until: string
}

const beforeAll = '00000000-0000-0000-0000-000000000000'

async function idsOf(tx: Tx, { after, until }: Stretch): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `select id from cart_carts where id > $1 and id < $2 order by id limit ${stretchRows}`,
    [after ?? beforeAll, until],
  )
  return rows.map((it) => it.id)
}

interface Removed {
  removed: string[]
  /** Where the next stretch begins; undefined when this was the last one. */
  last: string | undefined
}

const removal = (condition: string) =>
  `delete from cart_carts where id in (
     select id from cart_carts where id = any($1) and ${condition} for update skip locked) and ${condition} returning id`
const removalOfUnchanged = removal('updated_at <= $2')
const removalOfExpired = removal('expires_at <= $2')

/** Removes carts that nobody changed since an instant. One that somebody is changing now is passed over. */
export const removeUnchanged = (tx: Tx, stretch: Stretch, since: Date): Promise<Removed> =>
  remove(tx, stretch, [removalOfUnchanged, since])

/** Removes carts of guests that have expired. */
export const removeExpired = (tx: Tx, stretch: Stretch): Promise<Removed> =>
  remove(tx, stretch, [removalOfExpired, tx.now])

async function remove(tx: Tx, stretch: Stretch, [sql, at]: [string, Date]): Promise<Removed> {
  const ids = await idsOf(tx, stretch)
  const rows = ids.length > 0 ? await tx.all<{ id: string }>(sql, [ids, at]) : []
  return {
    removed: rows.map((it) => it.id),
    last: ids.length < stretchRows ? undefined : ids.at(-1),
  }
}

/** Takes reservations that have ended off their lines, and says how many; more than a thousand are left for later. */
export const clearEndedReservations = async (tx: Tx): Promise<number> =>
  (
    await tx.all(
      `update cart_items set reserved_until = null where (cart_id, is_moderated, offer_id) in (
         select cart_id, is_moderated, offer_id from cart_items where reserved_until <= $1
         limit ${stretchRows} for update skip locked) and reserved_until <= $1 returning 1`,
      [tx.now],
    )
  ).length

/** Buyers whose carts have stayed as they are since an instant, in the order of the carts' ids. */
export const unchangedSince = (
  read: Reader,
  since: Date,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ cartId: string; clientId: number | null; sessionId: string | null }[]> =>
  read.all(
    `select id as "cartId", client_id as "clientId", session_id as "sessionId" from cart_carts
     where id > $1 and updated_at <= $2 order by id limit $3`,
    [after ?? beforeAll, since, limit],
  )
