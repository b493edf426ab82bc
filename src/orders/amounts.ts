// What the shop keeps of the money for an order and what is still open, each with its reason. Pure.

import { sumTiyin } from '../base/money.ts'
import { deliveryTiyin, type Order, owedTiyin } from './order.ts'
import { isInInstalments, openInstalments, paidCommissionTiyin } from './payments/instalments.ts'
import { capturedTiyin, keptTiyin, refundedTiyin } from './payments/payment.ts'

export const keptReasons = [
  'products',
  'delivery',
  'commission',
  'late_return_commission',
  'refund_failed',
  'excess',
] as const
export const openReasons = ['unpaid', 'overdue', 'not_due'] as const

export interface Amount<Reason extends string> {
  reason: Reason
  tiyin: number
}

export interface Amounts {
  paidTiyin: number
  refundedTiyin: number
  kept: Amount<(typeof keptReasons)[number]>[]
  open: Amount<(typeof openReasons)[number]>[]
}

/** `today` is the business day, which decides what is overdue. */
export function amountsOf(order: Order, today: string): Amounts {
  const { payments } = order.progress
  return {
    paidTiyin: capturedTiyin(payments),
    refundedTiyin: sumTiyin(payments.map((it) => refundedTiyin(it, ['pending', 'refunded']))),
    kept: keptAmounts(order),
    open: openAmounts(order, today).filter((it) => it.tiyin > 0),
  }
}

function keptAmounts(order: Order): Amounts['kept'] {
  const { cancelled, payments, returns } = order.progress
  let left = sumTiyin(payments.map(keptTiyin))
  const returned = returns.map((it) => it.commission)
  const late = sumTiyin(returned.map((it) => (it && !it.isRefunded ? it.tiyin : 0)))
  const commission = isInInstalments(order)
    ? paidCommissionTiyin(order) - sumTiyin(returned.map((it) => it?.tiyin ?? 0))
    : 0
  const hasFailed = payments.some((it) => it.refunds.some(({ status }) => status === 'failed'))
  const claims: Amounts['kept'] = cancelled
    ? []
    : [
        { reason: 'late_return_commission', tiyin: late },
        { reason: 'commission', tiyin: commission },
        { reason: 'delivery', tiyin: deliveryTiyin(order) },
        { reason: 'products', tiyin: owedTiyin(order) - deliveryTiyin(order) },
      ]
  claims.push({ reason: hasFailed ? 'refund_failed' : 'excess', tiyin: Infinity })
  return claims
    .map(({ reason, tiyin }) => {
      const part = Math.min(left, tiyin)
      left -= part
      return { reason, tiyin: part }
    })
    .filter((it) => it.tiyin > 0)
}

function openAmounts(order: Order, today: string): Amounts['open'] {
  const { cancelled, payments } = order.progress
  if (cancelled) return []
  if (!isInInstalments(order))
    return [{ reason: 'unpaid', tiyin: Math.max(0, owedTiyin(order) - capturedTiyin(payments)) }]
  const open = openInstalments(order)
  const sum = (isOverdue: boolean) =>
    sumTiyin(open.filter((it) => it.dueOn < today === isOverdue).map((it) => it.amountTiyin))
  return [
    { reason: 'overdue', tiyin: sum(true) },
    { reason: 'not_due', tiyin: sum(false) },
  ]
}
