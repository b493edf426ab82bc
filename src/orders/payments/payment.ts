// Payments of an order: by card, in cash, outside the platform, or in instalments.

import { sumTiyin } from '../../base/money.ts'

export type PaymentKind = 'card' | 'cash' | 'external' | 'instalment'

/** Ordered by rank: a late outcome never replaces a status of higher rank. */
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
  /** Null when no acquirer is involved. */
  acquirer: string | null
  /** Whether the payment is captured as soon as it is authorised. */
  capturesAtOnce: boolean
  /** A capture or void that was requested from the acquirer and is not confirmed. */
  requestedStep: 'capture' | 'void' | null
  card: { brand: string; lastDigits: string } | null
  /** Its id in another system: a receipt, a transfer. */
  reference: string | null
  /** Numbers of the instalments that it pays; absent when it pays the order. */
  instalments?: number[]
  /** What each of them costs, in the same order; less than agreed when they are repaid early. */
  instalmentsTiyin?: number[]
  /** Page where the buyer approves the payment. */
  actionUrl: string | null
  failure: string | null
  refunds: Refund[]
  at: Date
}

/** Instalments are refunded by returns and cancellations only: their schedule follows from what was paid. */
export const paysInstalments = ({ kind, instalments }: Payment): boolean =>
  kind === 'instalment' || instalments !== undefined

/** Captured and neither refunded nor being refunded. */
export const keptTiyin = (payment: Payment): number =>
  payment.status === 'captured' ? payment.amountTiyin - refundedTiyin(payment, ['pending', 'refunded']) : 0

export const refundedTiyin = ({ refunds }: Payment, statuses: readonly Refund['status'][]): number =>
  sumTiyin(refunds.filter((it) => statuses.includes(it.status)).map((it) => it.amountTiyin))

export const capturedTiyin = (payments: readonly Payment[]): number =>
  sumTiyin(payments.filter((it) => it.status === 'captured').map((it) => it.amountTiyin))

/** Captured or authorised, without payments that are being voided. */
export const securedTiyin = (payments: readonly Payment[]): number =>
  sumTiyin(
    payments
      .filter((it) => it.status === 'captured' || (it.status === 'authorised' && it.requestedStep !== 'void'))
      .map((it) => it.amountTiyin),
  )

/** The steps that a payment allows now. */
export function paymentStepsFrom(payment: Payment): ('capture' | 'void' | 'refund')[] {
  if (payment.status === 'authorised' && payment.requestedStep === null) return ['capture', 'void']
  if (payment.status === 'captured' && !paysInstalments(payment) && keptTiyin(payment) > 0) return ['refund']
  return []
}
