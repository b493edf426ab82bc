// SQL of buyer aliases and cart owners.

import type { Reader, Tx } from '../../base/database.ts'

export interface AliasLink {
  alias: string
  buyer: string
  kind: 'session' | 'external'
  /** The external id as the other system writes it. */
  original: string | null
}

/**
 * Inserts links and returns the new ones; existing aliases keep their buyer. A guest who saw lists before the client did
 * keeps the experiment groups: that alias decides the client's groups.
 */
export const insertAliases = (
  tx: Tx,
  links: readonly AliasLink[],
): Promise<{ alias: string; buyer: string }[]> =>
  tx.all(
    `with wanted as (
       select distinct on (alias) alias, buyer, kind, original
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as link (alias, buyer, kind, original, position)
       order by alias, position),
     deciding as (
       select distinct on (buyer) alias from wanted
       where kind = 'session' and exists (select 1 from recommendations_lists list where list.buyer = wanted.alias)
         and not exists (select 1 from recommendations_lists list where list.buyer = wanted.buyer)
         and not exists (select 1 from recommendations_aliases known where known.buyer = wanted.buyer and known.decides_groups)
       order by buyer, alias)
     insert into recommendations_aliases (alias, buyer, at, kind, original, decides_groups)
     select alias, buyer, $5, kind, original, alias in (select alias from deciding) from wanted order by alias
     on conflict (alias) do nothing returning alias, buyer`,
    [
      links.map((it) => it.alias),
      links.map((it) => it.buyer),
      links.map((it) => it.kind),
      links.map((it) => it.original),
      tx.now,
    ],
  )

/** Deletes external aliases of these buyers that are not kept, and returns them. */
export const deleteExternalAliases = (
  tx: Tx,
  buyers: readonly string[],
  kept: readonly string[],
): Promise<{ alias: string; buyer: string; original: string }[]> =>
  tx.all(
    `delete from recommendations_aliases where buyer = any($1) and kind = 'external' and not alias = any($2)
     returning alias, buyer, original`,
    [buyers, kept],
  )

export const deleteAliases = (
  tx: Tx,
  buyers: readonly string[],
): Promise<{ alias: string; buyer: string; original: string | null }[]> =>
  tx.all(`delete from recommendations_aliases where buyer = any($1) returning alias, buyer, original`, [
    buyers,
  ])

/** What buyers did under these keys, and the lists that they saw. */
export function deleteBehaviour(tx: Tx, keys: readonly string[]): void {
  tx.later(`delete from recommendations_interactions where buyer = any($1)`, [keys])
  tx.later(`delete from recommendations_lists where buyer = any($1)`, [keys])
}

/** The groups of the remaining client stay, if an alias decides them. */
export const moveAliases = (
  tx: Tx,
  { from, into }: { from: string; into: string },
): Promise<{ alias: string; buyer: string }[]> =>
  tx.all(
    `update recommendations_aliases set buyer = $2, decides_groups = decides_groups and not exists (
       select 1 from recommendations_aliases known where known.buyer = $2 and known.decides_groups)
     where buyer = $1 returning alias, buyer`,
    [from, into],
  )

/** An interaction that both buyers have is kept once. */
export function moveBehaviour(tx: Tx, { from, into }: { from: string; into: string }): void {
  tx.later(
    `with moved as (delete from recommendations_interactions where buyer = $1 returning *)
     insert into recommendations_interactions
       (buyer, at, offer, kind, request_id, source, original_buyer, origin, via, units, amount_tiyin)
     select $2, at, offer, kind, request_id, source, original_buyer, origin, via, units, amount_tiyin from moved
     on conflict do nothing`,
    [from, into],
  )
  tx.later(`update recommendations_lists set buyer = $2 where buyer = $1`, [from, into])
}

/** Deletes the oldest sessions beyond `max` per buyer, and returns them. */
export const trimSessions = (
  tx: Tx,
  buyers: readonly string[],
  max: number,
): Promise<{ alias: string; buyer: string }[]> =>
  tx.all(
    `delete from recommendations_aliases where alias in (
       select alias from (
         select alias, row_number() over (partition by buyer order by decides_groups desc, at desc, alias) as position
         from recommendations_aliases where buyer = any($1) and kind = 'session') as ranked
       where position > $2)
     returning alias, buyer`,
    [buyers, max],
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

export const expiredCarts = `delete from recommendations_carts where cart_id in (
  select cart_id from recommendations_carts where at < $1 order by at limit $2) returning 1`
export const expiredSessions = `delete from recommendations_aliases where alias in (
  select alias from recommendations_aliases where kind = 'session' and at < $1 limit $2) returning 1`
