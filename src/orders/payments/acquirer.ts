// The port to card acquirers. An acquirer is one file that implements it, and one line in `acquirers.ts`. Every call is
// made outside of transactions.

import type { IncomingHttpHeaders } from 'node:http'

export interface Card {
  number: string
  expiryMonth: number
  expiryYear: number
  cvc: string
}

/** The state of a payment as its acquirer reports it. */
export type Outcome =
  | { status: 'pending'; actionUrl?: string }
  | { status: 'authorised' }
  | { status: 'captured' }
  | { status: 'voided' }
  | { status: 'failed'; code: string }

export type RefundOutcome = { status: 'refunded' } | { status: 'failed'; code: string }

export interface Charge {
  /** Our id and the idempotency key: the acquirer charges once per id. */
  paymentId: string
  amountTiyin: number
  /** Whether the payment is captured as soon as it is authorised. */
  capturesAtOnce: boolean
  card: Card
}

/** A notification that the acquirer sends later. */
export interface Callback {
  /** The acquirer's id; a repeated id is ignored. */
  id: string
  paymentId: string
  outcome: Outcome
}

/**
 * A call throws when its outcome is not known, for example after a timeout. The platform then repeats it with the same
 * ids. Callbacks may arrive late, repeatedly and in any order.
 */
export interface Acquirer {
  name: string
  authorise(charge: Charge): Promise<Outcome>
  capture(paymentId: string): Promise<Outcome>
  void(paymentId: string): Promise<Outcome>
  refund(paymentId: string, refund: { refundId: string; amountTiyin: number }): Promise<RefundOutcome>
  /** The outcome of a charge; undefined when the acquirer does not know it. */
  find(paymentId: string): Promise<Outcome | undefined>
  /** Parses a callback; undefined when its signature or content is not valid. */
  callbackIn(request: { headers: IncomingHttpHeaders; bytes: Buffer }): Callback | undefined
}
