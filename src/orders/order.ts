// The order. What was ordered never changes; everything else follows from events, and so do the three states (of the
// order, its payment and its fulfilment). This file is pure: no I/O, no clock, no SQL.

import type { Buyer } from '../base/buyer.ts'
import { sumTiyin } from '../base/money.ts'
import type * as cart from '../cart/index.ts'
import * as catalog from '../catalog/index.ts'
import type { LocalizedText } from '../http/language.ts'
import type { OrderedDelivery } from './delivery/delivery.ts'
import type { LineUnits } from './fulfilment/fulfilment.ts'
import { applyEvent, type OrderEvent, type OrderProgress } from './order-events.ts'
import { type ReturnedLine, returnedTiyin } from './returns/return.ts'

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

export interface OrderLine {
  number: number
  isModerated: boolean
  offerId: number
  productId: number
  name: LocalizedText
  quantity: number
  priceTiyin: number
  /** What a coupon took off the whole line. */
  discountTiyin: number
  /** Not null when the order is paid in instalments. */
  loan: Loan | null
  /** Per unit, due at once when the order is paid in instalments. */
  prepaymentTiyin: number
  /** Null for orders that were placed before pictures were stored. */
  image: catalog.Image | null
}

/** Whom the shop calls about the order. */
export interface Contact {
  name: string
  phone: string | null
  email: string | null
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
  /** The code of the coupon that gave the discounts; null for none. */
  couponCode: string | null
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

/** What the coupon took off an order. */
export const couponTiyin = ({ lines }: Pick<Ordered, 'lines'>): number =>
  sumTiyin(lines.map((it) => it.discountTiyin))

/** What returned units cost. */
export const amountOfReturned = (order: Ordered, it: ReturnedLine): number =>
  it.amountTiyin ?? lineOf(order, it.line)!.priceTiyin * it.quantity

/**
 * Units that are to be returned, with their share of a discounted line. Units that complete the line get what other
 * returns leave of it, so that all returns of a line together are what it cost.
 */
export function returnedLine(order: Order, { line: number, quantity }: LineUnits): ReturnedLine {
  const line = lineOf(order, number)!
  if (line.discountTiyin === 0) return { line: number, quantity }
  const others = order.progress.returns
    .filter((it) => it.status !== 'rejected')
    .flatMap((it) => it.lines.filter((one) => one.line === number))
  const isComplete = quantity + others.reduce((sum, it) => sum + it.quantity, 0) === line.quantity
  const amountTiyin = isComplete
    ? amountOf(line) - sumTiyin(others.map((it) => amountOfReturned(order, it)))
    : Math.floor(amountOf(line) / line.quantity) * quantity
  return { line: number, quantity, amountTiyin }
}

export const lineOf = (order: Ordered, number: number): OrderLine | undefined =>
  order.lines.find((it) => it.number === number)

/** The order line of a cart line that is sold. A loan condition applies only to instalment methods (SPEC-2 4.6.3). */
export function lineFromCart(
  { line, offer }: cart.PricedLine,
  number: number,
  { isInstallment }: cart.PaymentMethod,
): Omit<OrderLine, 'discountTiyin'> {
  const { isModerated, offerId, quantity } = line
  const { productId, name, priceTiyin } = offer!
  const condition = offer!.conditions.find((it) => it.id === line.loanConditionId)
  const loan =
    isInstallment && condition
      ? {
          conditionId: condition.id,
          duration: condition.duration,
          commission: condition.commission,
          earlyCommissionPercent: condition.earlyCommissionPercent ?? 100,
        }
      : null
  const prepaymentTiyin = loan ? (offer!.prepaymentTiyin ?? 0) : 0
  // Own pictures are stored as paths.
  const [image = null] = catalog.offerImageUrls(offer!, '')
  return { number, isModerated, offerId, productId, name, quantity, priceTiyin, loan, prepaymentTiyin, image }
}

/** Units of a line to put back into a cart. */
export const itemForCart = ({ isModerated, offerId, quantity, loan }: OrderLine): cart.AddItem => ({
  isModerated,
  offerId,
  quantity,
  loanConditionId: loan?.conditionId,
})

/** What a line costs after the discount. */
export const amountOf = ({
  priceTiyin,
  quantity,
  discountTiyin,
}: Pick<OrderLine, 'priceTiyin' | 'quantity' | 'discountTiyin'>): number =>
  priceTiyin * quantity - discountTiyin
