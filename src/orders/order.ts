// The order. What was ordered never changes; everything else follows from events, and so do the three states (of the
// order, its payment and its fulfilment). This file is pure: no I/O, no clock, no SQL.

import type { Buyer } from '../base/buyer.ts'
import { sumTiyin } from '../base/money.ts'
import type { Image } from '../catalog/index.ts'
import type { LocalizedText } from '../http/language.ts'
import type { OrderedDelivery } from './delivery/delivery.ts'
import type { LineUnits } from './fulfilment/fulfilment.ts'
import { applyEvent, type OrderEvent, type OrderProgress } from './order-events.ts'
import { returnedTiyin } from './returns/return.ts'

/** The loan terms at the time of ordering. */
export interface Loan {
  conditionId: number
  /** In months. */
  duration: number
  /** In percent. */
  commission: number
  /** How much of the commission is charged for instalments that are repaid before they are due; 100 by default. */
  earlyCommissionPercent?: number
}

/** Whom the shop calls about the order. */
export interface Contact {
  name: string
  phone: string | null
  email: string | null
}

export interface OrderLine {
  number: number
  isModerated: boolean
  offerId: number
  productId: number
  name: LocalizedText
  quantity: number
  priceTiyin: number
  /** Not null when the order is paid in instalments. */
  loan: Loan | null
  /** Per unit, due at once when the order is paid in instalments. */
  prepaymentTiyin: number
  /** Null for orders that were placed before pictures were stored. */
  image: Image | null
}

/** The part of an order that never changes. */
export interface Ordered {
  checkoutId: string
  buyer: Buyer
  partnerId: number
  partnerName: string | null
  /** Null for clients that are registered elsewhere. */
  contact: Contact | null
  methodId: number
  /** The mandate under which an application ordered for the client. */
  mandateId: string | null
  /** In one line; that of the pick-up point when the buyer collects the order. */
  address: string
  /** Null for orders that were placed before partners had delivery methods. */
  delivery: OrderedDelivery | null
  /** With the price of the delivery. */
  amountTiyin: number
  /** The business day of ordering. */
  day: string
  createdAt: Date
  lines: OrderLine[]
}

export interface Order extends Ordered {
  id: number
  /** The number of its events. */
  version: number
  updatedAt: Date
  progress: OrderProgress
}

/** The order after more events. */
export const applyEvents = (order: Order, events: readonly OrderEvent[]): Order => ({
  ...order,
  version: order.version + events.length,
  updatedAt: events.at(-1)?.at ?? order.updatedAt,
  progress: events.reduce(applyEvent, order.progress),
})

/** The price of the delivery, a service that returned units do not undo. */
export const deliveryTiyin = ({ delivery }: Pick<Ordered, 'delivery'>): number => delivery?.priceTiyin ?? 0

/** The amount that the buyer owes in total; received returns are subtracted. */
export const owedTiyin = ({ amountTiyin, progress }: Order): number =>
  amountTiyin - returnedTiyin(progress.returns)

export const amountOf = ({ priceTiyin, quantity }: Pick<OrderLine, 'priceTiyin' | 'quantity'>): number =>
  priceTiyin * quantity

/** The price of some units of an order. */
export const amountOfUnits = (order: Order, units: readonly LineUnits[]): number =>
  sumTiyin(units.map((it) => lineOf(order, it.line)!.priceTiyin * it.quantity))

export const lineOf = (order: Ordered, number: number): OrderLine | undefined =>
  order.lines.find((it) => it.number === number)
