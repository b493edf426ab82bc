// The three states of an order, computed from its progress.

import { paymentMethods } from '../cart/index.ts'
import { orderStatuses } from '../events.ts'
import { unitsIn } from './fulfilment/fulfilment.ts'
import { type Order, owedTiyin } from './order.ts'
import { capturedTiyin, keptTiyin, refundedTiyin, securedTiyin } from './payments/payment.ts'
import { returnedUnits } from './returns/return.ts'
import { instalmentsOf, isInInstalments } from './payments/instalments.ts'

export { orderStatuses }
export const paymentAxis = [
  'unpaid',
  'pending',
  'authorised',
  'partially_paid',
  'paid',
  'failed',
  'voided',
  'partially_refunded',
  'refunded',
] as const
export const fulfilmentAxis = [
  'unfulfilled',
  'preparing',
  'partially_shipped',
  'shipped',
  'partially_delivered',
  'delivered',
  'partially_returned',
  'returned',
  'cancelled',
] as const

export interface States {
  status: (typeof orderStatuses)[number]
  paymentStatus: (typeof paymentAxis)[number]
  fulfilmentStatus: (typeof fulfilmentAxis)[number]
}

export function statesOf(order: Order): States {
  const paymentStatus = paymentStatusOf(order)
  const fulfilmentStatus = fulfilmentStatusOf(order)
  return { status: statusOf(order, fulfilmentStatus), paymentStatus, fulfilmentStatus }
}

/** Whether nothing is shipped before the payment is authorised or captured. */
export const isPaidAhead = ({ methodId }: Pick<Order, 'methodId'>): boolean => codeOf(methodId) === 'card'

const codeOf = (methodId: number) => paymentMethods.find((it) => it.id === methodId)!.code

const finalStatuses = new Set<States['fulfilmentStatus']>(['delivered', 'partially_returned', 'returned'])

function statusOf(order: Order, fulfilment: States['fulfilmentStatus']): States['status'] {
  const { cancelled, payments } = order.progress
  if (cancelled) return 'cancelled'
  if (isPaidAhead(order) && securedTiyin(payments) < owedTiyin(order)) return 'awaiting_payment'
  if (!finalStatuses.has(fulfilment)) return 'confirmed'
  const isSettled = isInInstalments(order)
    ? instalmentsOf(order).every((it) => it.isPaid)
    : capturedTiyin(payments) >= owedTiyin(order)
  return isSettled ? 'completed' : 'delivered'
}

function paymentStatusOf(order: Order): States['paymentStatus'] {
  const { payments, instalmentsPaid } = order.progress
  const captured = capturedTiyin(payments)
  const refunded = payments.reduce((sum, it) => sum + refundedTiyin(it, ['refunded']), 0)
  if (refunded > 0)
    return payments.reduce((sum, it) => sum + keptTiyin(it), 0) > 0 ? 'partially_refunded' : 'refunded'
  if (isInInstalments(order) && instalmentsPaid.length > 0)
    return instalmentsOf(order).every((it) => it.isPaid) ? 'paid' : 'partially_paid'
  if (captured > 0) return captured >= owedTiyin(order) ? 'paid' : 'partially_paid'
  if (payments.some((it) => it.status === 'authorised')) return 'authorised'
  if (payments.some((it) => it.status === 'pending')) return 'pending'
  if (payments.length === 0) return 'unpaid'
  return payments.at(-1)!.status === 'voided' ? 'voided' : 'failed'
}

function fulfilmentStatusOf(order: Order): States['fulfilmentStatus'] {
  const { cancelled, fulfilments, returns } = order.progress
  if (cancelled) return 'cancelled'
  const all = order.lines.reduce((sum, it) => sum + it.quantity, 0)
  const count = (units: Map<number, number>) => [...units.values()].reduce((sum, it) => sum + it, 0)
  const returned = count(returnedUnits(returns, ['received']))
  const delivered = count(unitsIn(fulfilments, ['delivered']))
  const shipped = count(unitsIn(fulfilments, ['shipped', 'delivered']))
  const prepared = count(unitsIn(fulfilments, ['created']))
  if (returned === all) return 'returned'
  if (delivered === all) return returned > 0 ? 'partially_returned' : 'delivered'
  if (delivered > 0) return 'partially_delivered'
  if (shipped === all) return 'shipped'
  if (shipped > 0) return 'partially_shipped'
  return prepared > 0 ? 'preparing' : 'unfulfilled'
}
