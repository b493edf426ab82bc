import type { Tx } from '../base/db.ts'
import { timedUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Order } from './order.ts'
import type { Card } from './payments/acquirer.ts'
import { recordEvents, type Step } from './record-events.ts'
import { allowedSteps, moneyStateOf, payableTiyin } from './steps.ts'
import { insertPayment } from './store/payments.ts'
import { notNow } from './transition.ts'

export interface CardPayment {
  card: Card
  acquirer: string
  capturesAtOnce: boolean
  /** All that is missing when left out; the rest can be paid with another card. */
  amountTiyin?: number | undefined
}

/** Begins to charge a card for an order that is locked. The acquirer is asked once this is committed. */
export async function startPayment(tx: Tx, order: Order, wish: CardPayment): Promise<Step> {
  const missing = payableTiyin(order)
  if (missing <= 0) throw notNow(moneyStateOf(order), 'pay', allowedSteps(order))
  const amountTiyin = wish.amountTiyin ?? missing
  if (amountTiyin > missing)
    throw refuse('validation_failed', { fields: [{ path: 'amount', rule: 'maximum', limit: missing }] })
  const id = timedUuid(tx.now)
  insertPayment(tx, { id, orderId: order.id, acquirer: wish.acquirer })
  return recordEvents(tx, order, [
    {
      type: 'PaymentStarted',
      payment: {
        id,
        kind: 'card',
        amountTiyin,
        acquirer: wish.acquirer,
        capturesAtOnce: wish.capturesAtOnce,
        card: { brand: brandOf(wish.card.number), lastDigits: wish.card.number.slice(-4) },
        reference: null,
      },
    },
  ])
}

const brands: [RegExp, string][] = [
  [/^8600|^5614/, 'uzcard'],
  [/^9860/, 'humo'],
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
]

const brandOf = (number: string): string => brands.find(([form]) => form.test(number))?.[1] ?? 'card'
