import type { Tx } from '../../base/database.ts'
import { sumTiyin } from '../../base/money.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { Order } from '../order.ts'
import type { Card } from './acquirer.ts'
import { recordEvents, type Step } from '../record-events.ts'
import { allowedSteps, type Caller, paymentStateOf, payableTiyin, invalidTransition } from '../steps.ts'
import {
  asPaid,
  chosenInstalments,
  type InstalmentChoice,
  isInInstalments,
  openInstalments,
} from './instalments.ts'
import { notOpen } from './receive-payment.ts'
import { insertPayment } from './store.ts'

export interface CardPayment {
  card: Card
  acquirer: string
  capturesAtOnce: boolean
  /** Defaults to everything that is due; the rest can be paid with another card. */
  amountTiyin?: number | undefined
  /** Of an order in instalments; defaults to the first open one. */
  instalments?: InstalmentChoice | undefined
  caller: Caller
  /** The business day. */
  today: string
}

/** Starts a card payment for a locked order. The acquirer is called after the commit. */
export async function startPayment(tx: Tx, order: Order, input: CardPayment): Promise<Step> {
  const due = payableTiyin(order)
  if (due <= 0) throw invalidTransition(paymentStateOf(order), 'pay', allowedSteps(order, input.caller))
  const paid = isInInstalments(order)
    ? instalmentsToPay(order, input)
    : { amountTiyin: amountToPay(due, input) }
  const id = timedUuid(tx.now)
  insertPayment(tx, { id, orderId: order.id, acquirer: input.acquirer })
  return recordEvents(tx, order, [
    {
      type: 'PaymentStarted',
      payment: {
        id,
        kind: 'card',
        ...paid,
        acquirer: input.acquirer,
        capturesAtOnce: input.capturesAtOnce,
        card: { brand: brandOf(input.card.number), lastDigits: input.card.number.slice(-4) },
        reference: null,
      },
    },
  ])
}

function amountToPay(due: number, { amountTiyin = due, instalments }: CardPayment): number {
  if (instalments)
    throw refuse('validation_failed', { fields: [{ path: 'instalment', rule: 'unknown_field' }] })
  if (amountTiyin > due)
    throw refuse('validation_failed', { fields: [{ path: 'amount', rule: 'maximum', limit: due }] })
  return amountTiyin
}

/** Instalments are paid whole, so the amount follows from the choice. */
function instalmentsToPay(
  order: Order,
  input: CardPayment,
): { amountTiyin: number; instalments: number[]; instalmentsTiyin: number[] } {
  const open = openInstalments(order)
  const choice = input.instalments ?? { kind: 'first' as const, count: 1 }
  const chosen = asPaid(chosenInstalments(open, choice), choice, input.today)
  if (chosen.length === 0) throw notOpen(open)
  const amountTiyin = sumTiyin(chosen.map((it) => it.amountTiyin))
  if (input.amountTiyin !== undefined && input.amountTiyin !== amountTiyin)
    throw refuse('validation_failed', { fields: [{ path: 'amount', rule: 'choice', limit: [amountTiyin] }] })
  return {
    amountTiyin,
    instalments: chosen.map((it) => it.number),
    instalmentsTiyin: chosen.map((it) => it.amountTiyin),
  }
}

const brands: [RegExp, string][] = [
  [/^8600|^5614/, 'uzcard'],
  [/^9860/, 'humo'],
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
]

const brandOf = (number: string): string => brands.find(([pattern]) => pattern.test(number))?.[1] ?? 'card'
