// What can be done with an order now. Refusals name it, and every order shows it.

import { type LineUnits, unitsIn } from './fulfilment.ts'
import { type Order, owedTiyin } from './order.ts'
import { securedTiyin } from './payment.ts'
import { returnedUnits } from './return.ts'
import { isPaidAhead, statesOf } from './states.ts'

export const steps = ['pay', 'cancel', 'fulfil', 'return'] as const

export function allowedSteps(order: Order): (typeof steps)[number][] {
  const can = {
    pay: payableTiyin(order) > 0,
    cancel: canCancel(order),
    fulfil: statesOf(order).status === 'confirmed' && unsentUnits(order).length > 0,
    return: returnableUnits(order).length > 0,
  }
  return steps.filter((it) => can[it])
}

/** What is still to be paid by card; zero when nothing is, or when a payment is already under way. */
export const payableTiyin = (order: Order): number =>
  isPaidAhead(order) &&
  order.story.cancelled === null &&
  !order.story.payments.some((it) => it.status === 'pending')
    ? owedTiyin(order) - securedTiyin(order.story.payments)
    : 0

/** How it stands with the money of an order, for whoever wants to pay. */
export const moneyStateOf = (order: Order): string =>
  order.story.cancelled ? 'cancelled' : statesOf(order).paymentStatus

/** Whether an order can still be called off: nothing of it has been sent. */
export const canCancel = ({ story }: Order): boolean =>
  story.cancelled === null && unitsIn(story.fulfilments, ['shipped', 'delivered']).size === 0

/** Units by line that are in no parcel yet. */
export function unsentUnits(order: Order): LineUnits[] {
  const sent = unitsIn(order.story.fulfilments, ['created', 'shipped', 'delivered'])
  return order.lines
    .map((it) => ({ line: it.number, quantity: it.quantity - (sent.get(it.number) ?? 0) }))
    .filter((it) => it.quantity > 0)
}

/** Units by line that arrived and have not come back, nor are about to. */
export function returnableUnits({ story, lines }: Order): LineUnits[] {
  const arrived = unitsIn(story.fulfilments, ['delivered'])
  const back = returnedUnits(story.returns, ['requested', 'received'])
  return lines
    .map(({ number }) => ({
      line: number,
      quantity: (arrived.get(number) ?? 0) - (back.get(number) ?? 0),
    }))
    .filter((it) => it.quantity > 0)
}
