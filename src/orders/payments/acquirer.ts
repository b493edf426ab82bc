// What the shop asks of whoever moves the money of cards. A real acquirer is one file that implements this, and one
// line in `acquirers.ts`; nothing else of the shop knows how it speaks. Every call is made outside of transactions.

import type { IncomingHttpHeaders } from 'node:http'

export interface Card {
  number: string
  expiryMonth: number
  expiryYear: number
  cvc: string
}

/** How far a payment has come, as its acquirer says. */
export type Outcome =
  | { status: 'pending'; actionUrl?: string }
  | { status: 'authorised' }
  | { status: 'captured' }
  | { status: 'voided' }
  | { status: 'failed'; code: string }

export type RefundOutcome = { status: 'refunded' } | { status: 'failed'; code: string }

export interface Charge {
  /** Ours. The acquirer must recognise it: whoever asks twice charges once. */
  paymentId: string
  amountTiyin: number
  /** Takes the money as soon as it is promised. */
  capturesAtOnce: boolean
  card: Card
}

/** What an acquirer tells by itself, later. */
export interface Callback {
  /** Of the acquirer; a callback with an id that was heard is not heard again. */
  id: string
  paymentId: string
  outcome: Outcome
}

/**
 * A call may throw when its end is not known, as after a timeout; then the shop asks again, with the same ids, until it
 * knows. Callbacks may come late, twice and in any order.
 */
export interface Acquirer {
  name: string
  authorise(charge: Charge): Promise<Outcome>
  capture(paymentId: string): Promise<Outcome>
  void(paymentId: string): Promise<Outcome>
  refund(paymentId: string, refund: { refundId: string; amountTiyin: number }): Promise<RefundOutcome>
  /** What became of a charge; undefined when the acquirer has never heard of it. */
  find(paymentId: string): Promise<Outcome | undefined>
  /** Reads a callback; undefined when it is not signed as the acquirer signs. */
  callbackIn(sent: { headers: IncomingHttpHeaders; bytes: Buffer }): Callback | undefined
}
