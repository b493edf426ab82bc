// Money for an order: a charge of a card, cash at the door, money that came another way, or instalments.

import { sumTiyin } from '../base/money.ts'

export type PaymentKind = 'card' | 'cash' | 'external' | 'instalment'

/** How sure the money is. Each state but the first outranks those before it, whatever comes in late. */
export const paymentStatuses = ['pending', 'failed', 'authorised', 'captured', 'voided'] as const
export type PaymentState = (typeof paymentStatuses)[number]

export interface Refund {
  id: string
  amountTiyin: number
  status: 'pending' | 'refunded' | 'failed'
  reason: string
  at: Date
}

export interface Payment {
  id: string
  kind: PaymentKind
  status: PaymentState
  amountTiyin: number
  /** Who moves the money; null when nobody outside does. */
  acquirer: string | null
  /** Whether the money is taken as soon as it is promised. */
  capturesAtOnce: boolean
  /** A voiding or a capture that the acquirer has been asked for. */
  asked: 'capture' | 'void' | null
  card: { brand: string; lastDigits: string } | null
  /** What another system calls it: a receipt, a transfer. */
  reference: string | null
  /** Where the buyer must go to approve it. */
  actionUrl: string | null
  failure: string | null
  refunds: Refund[]
  at: Date
}

/** What was taken and is not on its way back. */
export const keptTiyin = (payment: Payment): number =>
  payment.status === 'captured' ? payment.amountTiyin - refundedTiyin(payment, ['pending', 'refunded']) : 0

export const refundedTiyin = ({ refunds }: Payment, statuses: readonly Refund['status'][]): number =>
  sumTiyin(refunds.filter((it) => statuses.includes(it.status)).map((it) => it.amountTiyin))

export const capturedTiyin = (payments: readonly Payment[]): number =>
  sumTiyin(payments.filter((it) => it.status === 'captured').map((it) => it.amountTiyin))

/** What is taken or firmly promised. */
export const securedTiyin = (payments: readonly Payment[]): number =>
  sumTiyin(
    payments
      .filter((it) => it.status === 'captured' || (it.status === 'authorised' && it.asked !== 'void'))
      .map((it) => it.amountTiyin),
  )

/** The steps that a payment can take now. */
export function paymentStepsFrom(payment: Payment): ('capture' | 'void' | 'refund')[] {
  if (payment.status === 'authorised' && payment.asked === null) return ['capture', 'void']
  if (payment.status === 'captured' && payment.kind !== 'instalment' && keptTiyin(payment) > 0)
    return ['refund']
  return []
}
