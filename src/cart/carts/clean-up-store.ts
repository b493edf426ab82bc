// Abandoned and expired carts, and ended reservations. Carts are scanned in batches by id, which grows with time: a large
// table is read once per run, and changes of carts maintain no extra index.

import { dayMs } from '../../base/clock.ts'
import type { Reader, Tx } from '../../base/database.ts'

const batchRows = 1_000

export interface BatchRange {
  /** The last id of the previous batch; undefined for the first one. */
  after: string | undefined
  /** Carts with this id or a later one are too recent to be removed. */
  until: string
}

const beforeAll = '00000000-0000-0000-0000-000000000000'

async function idsOf(tx: Tx, { after, until }: BatchRange): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `select id from cart_carts where id > $1 and id < $2 order by id limit ${batchRows}`,
    [after ?? beforeAll, until],
  )
  return rows.map((it) => it.id)
}

interface Removed {
  removed: string[]
  /** The last id of this batch; undefined when it was the last batch. */
  last: string | undefined
}

const removal = (condition: string) =>
  `delete from cart_carts where id in (
     select id from cart_carts where id = any($1) and ${condition} for update skip locked) and ${condition} returning id`
const removalOfUnchanged = removal('updated_at <= $2')
const removalOfExpired = removal('expires_at <= $2')

/** Removes carts that have not changed since an instant. Locked carts are skipped. */
export const removeUnchanged = (tx: Tx, range: BatchRange, since: Date): Promise<Removed> =>
  remove(tx, range, [removalOfUnchanged, since])

/** Removes expired carts of guests. */
export const removeExpired = (tx: Tx, range: BatchRange): Promise<Removed> =>
  remove(tx, range, [removalOfExpired, tx.now])

async function remove(tx: Tx, range: BatchRange, [sql, at]: [string, Date]): Promise<Removed> {
  const ids = await idsOf(tx, range)
  const rows = ids.length > 0 ? await tx.all<{ id: string }>(sql, [ids, at]) : []
  return {
    removed: rows.map((it) => it.id),
    last: ids.length < batchRows ? undefined : ids.at(-1),
  }
}

/** Clears ended reservations, at most one batch; returns how many. */
export const clearEndedReservations = async (tx: Tx): Promise<number> =>
  (
    await tx.all(
      `update cart_items set reserved_until = null where (cart_id, is_moderated, offer_id) in (
         select cart_id, is_moderated, offer_id from cart_items where reserved_until <= $1
         limit ${batchRows} for update skip locked) and reserved_until <= $1 returning 1`,
      [tx.now],
    )
  ).length

/** Buyers whose carts have not changed since an instant, ordered by cart id. */
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

const maxPerPage = 1_000

export interface StaleCarts {
  clientIds: number[]
  sessionIds: string[]
  /** Cursor of the next page; undefined on the last page. */
  next: string | undefined
}

/** A page of the buyers whose carts have not changed for `days` days (SPEC-2 6.3). */
export async function findStaleCarts(read: Reader, days: number, after?: string): Promise<StaleCarts> {
  const since = new Date(read.now.getTime() - days * dayMs)
  const rows = await unchangedSince(read, since, { after, limit: maxPerPage })
  return {
    clientIds: rows.flatMap((it) => it.clientId ?? []),
    sessionIds: rows.flatMap((it) => it.sessionId ?? []),
    next: rows.length < maxPerPage ? undefined : rows.at(-1)!.cartId,
  }
}
