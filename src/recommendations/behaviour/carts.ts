// Whose carts they are. The fact that something came into a cart names the cart alone, and it may be gone when we hear
// of it: merged, ordered or expired.

import { buyerIdOf } from '../../base/buyer.ts'
import type { Tx } from '../../base/db.ts'
import { findCartById } from '../../cart/index.ts'
import * as store from '../store/names.ts'
import type { Heard } from './reactions.ts'

export function rememberCarts(tx: Tx, told: readonly Heard[]): void {
  const carts = told.flatMap(({ event }) =>
    event.type === 'CartCreated' ? [{ cartId: event.cartId, buyer: String(event.buyerId) }] : [],
  )
  if (carts.length > 0) store.insertCarts(tx, carts)
}

/** Our names for those whose carts these are; carts that nobody knows are left out. */
export async function buyersOfCarts(tx: Tx, cartIds: readonly string[]): Promise<Map<string, string>> {
  if (cartIds.length === 0) return new Map()
  const buyers = await store.findCartBuyers(tx, cartIds)
  // Carts that are older than this knowledge.
  for (const cartId of cartIds.filter((it) => !buyers.has(it))) {
    const cart = await findCartById(tx, cartId)
    if (cart) buyers.set(cartId, String(buyerIdOf(cart.buyer)))
  }
  return buyers
}

export function forgetCarts(tx: Tx, told: readonly Heard[]): void {
  const gone = told.flatMap(({ event }) =>
    event.type === 'CartRemoved' ? [event.cartId] : event.type === 'CartsMerged' ? [event.guestCartId] : [],
  )
  if (gone.length > 0) store.deleteCarts(tx, gone)
}
