// Cart, wishlist, shared carts and limits of one client, for the administration of clients.

import type { Reader, Tx } from '../base/database.ts'
import { timedUuid } from '../base/random.ts'
import { copyLines } from './carts/store.ts'
import { eraseSharedCarts, moveSharedCarts } from './shared-carts/client-data-store.ts'

interface CartSummary {
  cart: { id: string; units: number; updatedAt: Date } | null
  limits: { todayTiyin: number; creditTiyin: number }
}

/** `day` is the business day that counts against the daily limit. */
export async function cartOfClient(read: Reader, clientId: number, day: string): Promise<CartSummary> {
  const cart = await read.maybe<NonNullable<CartSummary['cart']>>(
    `select id, updated_at as "updatedAt",
       (select coalesce(sum(quantity), 0)::int8 from cart_items where cart_id = cart_carts.id) as units
     from cart_carts where client_id = $1`,
    [clientId],
  )
  const limits = await read.one<CartSummary['limits']>(
    `select (select coalesce(sum(amount_tiyin), 0)::int8 from cart_purchases
             where client_id = $1 and day = $2::text::date) as "todayTiyin",
       coalesce((select outstanding_tiyin from cart_credits where client_id = $1), 0)::int8 as "creditTiyin"`,
    [clientId, day],
  )
  return { cart: cart ?? null, limits }
}

/** Merges the cart, wishlist, shared carts and limits of a duplicate client into those of the client that is kept. */
export async function moveCart(tx: Tx, { from, into }: { from: number; into: number }): Promise<void> {
  await moveCartLines(tx, { from, into })
  await moveWishlist(tx, { from, into })
  await moveSharedCarts(tx, { from, into })
  await tx.all(
    `insert into cart_purchases as kept (client_id, day, product_id, units, amount_tiyin)
     select $2, day, product_id, units, amount_tiyin from cart_purchases where client_id = $1 order by day, product_id
     on conflict (client_id, day, product_id) do update
     set units = kept.units + excluded.units, amount_tiyin = kept.amount_tiyin + excluded.amount_tiyin`,
    [from, into],
  )
  await tx.all(`delete from cart_purchases where client_id = $1`, [from])
  await tx.all(
    `insert into cart_credits as kept (client_id, outstanding_tiyin)
     select $2, outstanding_tiyin from cart_credits where client_id = $1
     on conflict (client_id) do update set outstanding_tiyin = kept.outstanding_tiyin + excluded.outstanding_tiyin`,
    [from, into],
  )
  await tx.all(`delete from cart_credits where client_id = $1`, [from])
  await tx.all(`update cart_coupon_uses set client_id = $2 where client_id = $1`, [from, into])
}

type OwnedTable = 'cart_carts' | 'cart_wishlists'

interface Owned {
  id: string
  /** Whether it was inserted for the lock. */
  isNew: boolean
}

/**
 * Locks the rows of both clients in one order. Rows that do not exist are inserted: a plain lock would miss a row that
 * another transaction has inserted and not committed yet, and an insert waits for it.
 */
async function lockBoth(
  tx: Tx,
  table: OwnedTable,
  clientIds: readonly number[],
): Promise<Map<number, Owned>> {
  const locked = new Map<number, Owned>()
  for (const clientId of clientIds.toSorted((a, b) => a - b)) {
    const newId = timedUuid(tx.now)
    const { id } = await tx.one<{ id: string }>(
      `insert into ${table} as owned (id, client_id, created_at, updated_at) values ($1, $2, $3, $3)
       on conflict (client_id) do update set updated_at = owned.updated_at returning id`,
      [newId, clientId, tx.now],
    )
    locked.set(clientId, { id, isNew: id === newId })
  }
  return locked
}

interface LockedPair {
  source: string
  /** Undefined when the source takes its place. */
  target: string | undefined
}

/** Locks both rows and removes those that were inserted for the lock; undefined when there is nothing to move. */
async function lockPair(
  tx: Tx,
  table: OwnedTable,
  { from, into }: { from: number; into: number },
): Promise<LockedPair | undefined> {
  const locked = await lockBoth(tx, table, [from, into])
  const [source, target] = [locked.get(from)!, locked.get(into)!]
  for (const it of [source, target]) if (it.isNew) await tx.all(`delete from ${table} where id = $1`, [it.id])
  return source.isNew ? undefined : { source: source.id, target: target.isNew ? undefined : target.id }
}

async function moveCartLines(tx: Tx, { from, into }: { from: number; into: number }): Promise<void> {
  const pair = await lockPair(tx, 'cart_carts', { from, into })
  if (!pair) return
  const { source, target } = pair
  if (!target) {
    await tx.all(
      `update cart_carts set client_id = $2, updated_at = $3, version = version + 1 where id = $1`,
      [source, into, tx.now],
    )
    return
  }
  await copyLines(tx, { from: source, into: target })
  await tx.all(`delete from cart_carts where id = $1`, [source])
  await tx.all(`update cart_carts set updated_at = $2, version = version + 1 where id = $1`, [target, tx.now])
}

async function moveWishlist(tx: Tx, { from, into }: { from: number; into: number }): Promise<void> {
  const pair = await lockPair(tx, 'cart_wishlists', { from, into })
  if (!pair) return
  const { source, target } = pair
  if (!target) {
    await tx.all(`update cart_wishlists set client_id = $2, updated_at = $3 where id = $1`, [
      source,
      into,
      tx.now,
    ])
    return
  }
  await tx.all(
    `insert into cart_wishlist_items (wishlist_id, is_moderated, offer_id, price_at_add_tiyin, was_available, added_at)
     select $2, is_moderated, offer_id, price_at_add_tiyin, was_available, added_at from cart_wishlist_items
     where wishlist_id = $1 order by is_moderated, offer_id on conflict do nothing`,
    [source, target],
  )
  await tx.all(`delete from cart_wishlists where id = $1`, [source])
}

/** Deletes the cart, the wishlist and the shared carts of a client. What counts against limits stays until it expires. */
export async function eraseCart(tx: Tx, clientId: number): Promise<void> {
  await tx.all(`delete from cart_carts where client_id = $1`, [clientId])
  await tx.all(`delete from cart_wishlists where client_id = $1`, [clientId])
  await eraseSharedCarts(tx, clientId)
  await tx.all(`update cart_coupon_uses set client_id = null where client_id = $1`, [clientId])
}
