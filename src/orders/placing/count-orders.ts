// Orders count against the limits of their client until they are cancelled or returned; each unit counts once.

import type { Tx } from '../../base/database.ts'
import { type CountedPurchase, countPurchase, countRepayment, uncountPurchase } from '../../cart/index.ts'
import type { ReturnedLine } from '../returns/return.ts'
import { amountOf, amountOfReturned, deliveryTiyin, lineOf, type Order } from '../order.ts'
import { isInInstalments, outstandingTiyin } from '../payments/instalments.ts'

const purchaseOf = (
  { buyer, day }: Order,
  lines: CountedPurchase['lines'],
  creditTiyin: number,
): CountedPurchase | undefined =>
  buyer.kind === 'client' ? { clientId: buyer.clientId, day, lines, creditTiyin } : undefined

const purchasedLines = (order: Order): CountedPurchase['lines'] =>
  order.lines.map((it) => ({ productId: it.productId, units: it.quantity, amountTiyin: amountOf(it) }))

/** Counts all orders of one checkout together. */
export function countOrders(tx: Tx, orders: readonly Order[]): void {
  const credit = orders
    .filter(isInInstalments)
    .reduce((sum, it) => sum + it.amountTiyin - deliveryTiyin(it), 0)
  const purchase = purchaseOf(orders[0]!, orders.flatMap(purchasedLines), credit)
  if (purchase) countPurchase(tx, purchase)
}

/** Stops counting a cancelled order. */
export function uncountOrder(tx: Tx, before: Order): void {
  const purchase = purchaseOf(before, purchasedLines(before), creditOf(before))
  if (purchase) uncountPurchase(tx, purchase)
}

/** Stops counting returned units. */
export function uncountUnits(
  tx: Tx,
  { before, after, units }: { before: Order; after: Order; units: readonly ReturnedLine[] },
): void {
  const lines = units.map((it) => ({
    productId: lineOf(before, it.line)!.productId,
    units: it.quantity,
    amountTiyin: amountOfReturned(before, it),
  }))
  const purchase = purchaseOf(before, lines, creditOf(before) - creditOf(after))
  if (purchase) uncountPurchase(tx, purchase)
}

/** Releases the credit used by instalments that are now paid. */
export function countPaidInstalments(tx: Tx, before: Order, after: Order): void {
  const released = creditOf(before) - creditOf(after)
  if (before.buyer.kind === 'client' && released > 0) countRepayment(tx, before.buyer.clientId, released)
}

const creditOf = (order: Order): number => (isInInstalments(order) ? outstandingTiyin(order) : 0)
