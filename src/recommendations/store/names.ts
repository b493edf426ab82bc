// Under which names buyers are known, and whose carts are whose.

import type { Reader, Tx } from '../../base/db.ts'

export interface NameLink {
  name: string
  buyer: string
  kind: 'session' | 'outside'
  /** As another system spells it. */
  spelled: string | null
}

/**
 * Notes whose names they are, and returns those that were nobody's. The first word stands. Whoever was shown something
 * under a new name, and nothing as the client that he turns out to be, goes on drawing his groups by it.
 */
export const insertNames = (tx: Tx, links: readonly NameLink[]): Promise<{ name: string; buyer: string }[]> =>
  tx.all(
    `with wanted as (
       select distinct on (name) name, buyer, kind, spelled
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as link (name, buyer, kind, spelled, place)
       order by name, place),
     firsts as (
       select distinct on (buyer) name from wanted
       where kind = 'session' and exists (select 1 from recommendations_lists list where list.buyer = wanted.name)
         and not exists (select 1 from recommendations_lists list where list.buyer = wanted.buyer)
         and not exists (select 1 from recommendations_names known where known.buyer = wanted.buyer and known.decides_groups)
       order by buyer, name)
     insert into recommendations_names (name, buyer, at, kind, spelled, decides_groups)
     select name, buyer, $5, kind, spelled, name in (select name from firsts) from wanted order by name
     on conflict (name) do nothing returning name, buyer`,
    [
      links.map((it) => it.name),
      links.map((it) => it.buyer),
      links.map((it) => it.kind),
      links.map((it) => it.spelled),
      tx.now,
    ],
  )

/** Takes names away that their clients no longer have outside, and returns them. */
export const deleteOutsideNames = (
  tx: Tx,
  buyers: readonly string[],
  kept: readonly string[],
): Promise<{ name: string; buyer: string; spelled: string }[]> =>
  tx.all(
    `delete from recommendations_names where buyer = any($1) and kind = 'outside' and not name = any($2)
     returning name, buyer, spelled`,
    [buyers, kept],
  )

/** Forgets the oldest sessions of buyers who have had more than so many, and returns them. */
export const trimSessions = (
  tx: Tx,
  buyers: readonly string[],
  most: number,
): Promise<{ name: string; buyer: string }[]> =>
  tx.all(
    `delete from recommendations_names where name in (
       select name from (
         select name, row_number() over (partition by buyer order by decides_groups desc, at desc, name) as place
         from recommendations_names where buyer = any($1) and kind = 'session') as ranked
       where place > $2)
     returning name, buyer`,
    [buyers, most],
  )

export function insertCarts(tx: Tx, carts: readonly { cartId: string; buyer: string }[]): void {
  tx.later(
    `insert into recommendations_carts (cart_id, buyer, at) select unnest($1::uuid[]), unnest($2::text[]), $3
     on conflict (cart_id) do nothing`,
    [carts.map((it) => it.cartId), carts.map((it) => it.buyer), tx.now],
  )
}

export const findCartBuyers = async (
  read: Reader,
  cartIds: readonly string[],
): Promise<Map<string, string>> => {
  const rows = await read.all<{ cartId: string; buyer: string }>(
    `select cart_id as "cartId", buyer from recommendations_carts where cart_id = any($1::uuid[])`,
    [cartIds],
  )
  return new Map(rows.map((it) => [it.cartId, it.buyer]))
}

export function deleteCarts(tx: Tx, cartIds: readonly string[]): void {
  tx.later(`delete from recommendations_carts where cart_id = any($1::uuid[])`, [cartIds])
}

/** Carts and sessions of long ago. */
export const oldCarts = `delete from recommendations_carts where cart_id in (
  select cart_id from recommendations_carts where at < $1 order by at limit $2) returning 1`
export const oldSessions = `delete from recommendations_names where name in (
  select name from recommendations_names where kind = 'session' and at < $1 limit $2) returning 1`
