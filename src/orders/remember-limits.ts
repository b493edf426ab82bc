// Orders count against the limits of the client who made them, and stop counting when they are undone: each unit once.

import type { Tx } from '../base/db.ts'
import { type Bought, notePurchase, noteRepayment, takeBackPurchase } from '../cart/index.ts'
import type { LineUnits } from './fulfilment.ts'
import { amountOf, lineOf, type Order } from './order.ts'
import { outstandingTiyin } from './schedule.ts'
import { isInInstalments } from './states.ts'

const boughtIn = ({ buyer, day }: Order, lines: Bought['lines'], creditTiyin: number): Bought | undefined =>
  buyer.kind === 'client' ? { clientId: buyer.clientId, day, lines, creditTiyin } : undefined

const wholeOf = (order: Order): Bought['lines'] =>
  order.lines.map((it) => ({ productId: it.productId, units: it.quantity, amountTiyin: amountOf(it) }))

/** Counts new orders of one buyer: all that he bought together in one go. */
export function noteOrders(tx: Tx, orders: readonly Order[]): void {
  const credit = orders.filter(isInInstalments).reduce((sum, it) => sum + it.amountTiyin, 0)
  const bought = boughtIn(orders[0]!, orders.flatMap(wholeOf), credit)
  if (bought) notePurchase(tx, bought)
}

/** Gives back what a cancelled order counted. */
export function forgetOrder(tx: Tx, before: Order): void {
  const bought = boughtIn(before, wholeOf(before), creditOf(before))
  if (bought) takeBackPurchase(tx, bought)
}

/** Gives back what returned units counted. */
export function forgetUnits(
  tx: Tx,
  { before, after, units }: { before: Order; after: Order; units: readonly LineUnits[] },
): void {
  const lines = units.map(({ line: number, quantity }) => {
    const { productId, priceTiyin } = lineOf(before, number)!
    return { productId, units: quantity, amountTiyin: priceTiyin * quantity }
  })
  const bought = boughtIn(before, lines, creditOf(before) - creditOf(after))
  if (bought) takeBackPurchase(tx, bought)
}

/** Frees the credit that paid instalments had used. */
export function noteInstalments(tx: Tx, before: Order, after: Order): void {
  const freed = creditOf(before) - creditOf(after)
  if (before.buyer.kind === 'client' && freed > 0) noteRepayment(tx, before.buyer.clientId, freed)
}

const creditOf = (order: Order): number => (isInInstalments(order) ? outstandingTiyin(order) : 0)
