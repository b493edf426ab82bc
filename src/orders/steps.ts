// The steps that an order allows now. Refusals and order replies list them.

import { type LineUnits, unitsIn } from './fulfilment/fulfilment.ts'
import { type Order, owedTiyin } from './order.ts'
import { capturedTiyin, keptTiyin, securedTiyin } from './payments/payment.ts'
import { returnedUnits } from './returns/return.ts'
import { isInInstalments, openInstalments } from './payments/instalments.ts'
import { isPaidAhead, statesOf } from './states.ts'
import { sumTiyin } from '../base/money.ts'
import { refuse } from '../base/refusal.ts'

export const steps = ['pay', 'cancel', 'fulfil', 'return', 'to_cart'] as const

/** The caller: staff, the buyer of the order, or a caller that may only read. */
export type Caller = 'staff' | 'buyer' | 'reader'

const buyerSteps: readonly string[] = ['pay', 'cancel', 'return', 'to_cart']

/** The steps that this caller may take now. */
export function allowedSteps(order: Order, caller: Caller): (typeof steps)[number][] {
  const can = {
    pay: payableTiyin(order) > 0,
    cancel: canCancel(order),
    fulfil: canShip(order) && unsentUnits(order).length > 0,
    return: returnableUnits(order).length > 0,
    to_cart: canReturnToCart(order),
  }
  return steps.filter(
    (it) => can[it] && (caller === 'staff' || (caller === 'buyer' && buyerSteps.includes(it))),
  )
}

/** The steps of payments and fulfilments are for staff. */
export const stepsForStaff = <Step extends string>(steps: Step[], caller: Caller): Step[] =>
  caller === 'staff' ? steps : []

/**
 * Whether units may leave the shop. A card must have been charged: an authorisation can be voided or expire. Cash on
 * delivery and instalments are the risk of the shop.
 */
export function canShip(order: Order): boolean {
  const { payments } = order.progress
  const isFunded =
    !isPaidAhead(order) ||
    (capturedTiyin(payments) >= owedTiyin(order) && payments.some((it) => keptTiyin(it) > 0))
  return statesOf(order).status === 'confirmed' && isFunded
}

/** The amount still to be paid by card; zero when nothing is due or a payment is pending. */
export function payableTiyin(order: Order): number {
  const { cancelled, payments } = order.progress
  if (cancelled) return 0
  if (isInInstalments(order))
    return hasOpenPayment(order) ? 0 : sumTiyin(openInstalments(order).map((it) => it.amountTiyin))
  const isPending = payments.some((it) => it.status === 'pending')
  return isPaidAhead(order) && !isPending ? Math.max(0, owedTiyin(order) - securedTiyin(payments)) : 0
}

/** Whether the outcome of a payment is still open. */
export const hasOpenPayment = ({ progress }: Order): boolean =>
  progress.payments.some(({ status }) => status === 'pending' || status === 'authorised')

/** The state that a refused payment reports. */
export const paymentStateOf = (order: Order): string =>
  order.progress.cancelled ? 'cancelled' : statesOf(order).paymentStatus

/** Whether an order can still be cancelled: nothing has been shipped. */
export const canCancel = ({ progress }: Order): boolean =>
  progress.cancelled === null && unitsIn(progress.fulfilments, ['shipped', 'delivered']).size === 0

/** Whether the lines of a cancelled order can go back to the cart; only once. */
export const canReturnToCart = ({ progress }: Order): boolean =>
  progress.cancelled !== null && !progress.isInCart

/** Units by line that are in no fulfilment yet. */
export function unsentUnits(order: Order): LineUnits[] {
  const sent = unitsIn(order.progress.fulfilments, ['created', 'shipped', 'delivered'])
  return order.lines
    .map((it) => ({ line: it.number, quantity: it.quantity - (sent.get(it.number) ?? 0) }))
    .filter((it) => it.quantity > 0)
}

/** Units by line that were delivered and are in no open or received return. */
export function returnableUnits({ progress, lines }: Order): LineUnits[] {
  const delivered = unitsIn(progress.fulfilments, ['delivered'])
  const returned = returnedUnits(progress.returns, ['requested', 'received'])
  return lines
    .map(({ number }) => ({
      line: number,
      quantity: (delivered.get(number) ?? 0) - (returned.get(number) ?? 0),
    }))
    .filter((it) => it.quantity > 0)
}

/** The refusal of a step that the state does not allow; lists the allowed steps. */
export const invalidTransition = (state: string, requested: string, allowed: readonly string[]) =>
  refuse('invalid_transition', { state, requested, allowed })
