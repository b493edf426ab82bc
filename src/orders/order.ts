// What an order is. What was ordered never changes; everything else is told by events, and the three states (of the
// order, of its payment, of its fulfilment) are read off them. Nothing here waits, reads a clock or knows SQL.

import type { Buyer } from '../base/buyer.ts'
import { sumTiyin } from '../base/money.ts'
import type { Words } from '../http/language.ts'
import type { Fulfilment, LineUnits } from './fulfilment.ts'
import { evolved, type OrderEvent } from './order-events.ts'
import type { Payment } from './payment.ts'
import { type Return, returnedTiyin } from './return.ts'

/** The terms of an instalment, as they were when the order was made. */
export interface Loan {
  conditionId: number
  /** In months. */
  duration: number
  /** In percent. */
  commission: number
}

export interface OrderLine {
  number: number
  isModerated: boolean
  offerId: number
  productId: number
  name: Words
  quantity: number
  priceTiyin: number
  /** Set when the order is paid in instalments. */
  loan: Loan | null
  /** What of it is due at once when it is paid in instalments. */
  prepaymentTiyin: number
}

/** What stands once an order is made. */
export interface Ordered {
  checkoutId: string
  buyer: Buyer
  partnerId: number
  methodId: number
  address: string
  amountTiyin: number
  /** The business day on which it was made. */
  day: string
  createdAt: Date
  lines: OrderLine[]
}

export interface Order extends Ordered {
  id: number
  /** How many events it has. */
  version: number
  updatedAt: Date
  story: Story
}

/** What events have told of an order. */
export interface Story {
  cancelled: { reason: string; at: Date } | null
  payments: Payment[]
  fulfilments: Fulfilment[]
  returns: Return[]
  /** The numbers of instalments that are paid. */
  instalmentsPaid: number[]
}

export const untold: Story = {
  cancelled: null,
  payments: [],
  fulfilments: [],
  returns: [],
  instalmentsPaid: [],
}

/** The order once these have happened too. */
export const after = (order: Order, events: readonly OrderEvent[]): Order => ({
  ...order,
  version: order.version + events.length,
  updatedAt: events.at(-1)?.at ?? order.updatedAt,
  story: events.reduce(evolved, order.story),
})

/** What an order costs its buyer: what came back is not paid for. */
export const owedTiyin = ({ amountTiyin, story }: Order): number => amountTiyin - returnedTiyin(story.returns)

export const amountOf = ({ priceTiyin, quantity }: Pick<OrderLine, 'priceTiyin' | 'quantity'>): number =>
  priceTiyin * quantity

/** What some units of an order cost. */
export const amountOfUnits = (order: Order, units: readonly LineUnits[]): number =>
  sumTiyin(units.map((it) => lineOf(order, it.line)!.priceTiyin * it.quantity))

export const lineOf = (order: Ordered, number: number): OrderLine | undefined =>
  order.lines.find((it) => it.number === number)
