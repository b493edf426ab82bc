// What clients have bought is remembered beside the carts that it limits; ADR 0014. Orders write it in their own
// transaction, under the lock of the client's cart, so that two orders at once never both fit under a limit.

import type { Tx } from '../base/db.ts'
import * as store from './store/purchases.ts'

export interface Bought {
  clientId: number
  /** The business day of the order, as `Terms.dayOf` says it. */
  day: string
  lines: { productId: number; units: number; amountTiyin: number }[]
  /** What the client owes for it: zero unless it is paid in instalments. */
  creditTiyin: number
}

/** Counts an order against the client's limits. */
export function notePurchase(tx: Tx, it: Bought): void {
  store.addPurchases(tx, it, it.lines)
  if (it.creditTiyin > 0) store.addCredit(tx, it.clientId, it.creditTiyin)
}

/** Gives back what a cancelled or returned order counted. Whoever calls it does so once an order. */
export function takeBackPurchase(tx: Tx, it: Bought): void {
  store.subtractPurchases(tx, it, it.lines)
  if (it.creditTiyin > 0) store.addCredit(tx, it.clientId, -it.creditTiyin)
}

/** Counts what a client has paid back of what he owes. */
export const noteRepayment = (tx: Tx, clientId: number, tiyin: number): void =>
  store.addCredit(tx, clientId, -tiyin)
