// What is shown of an order: ids as decimal strings, money as `{amount, currency}`.

import { Type } from 'typebox'
import { asMoney } from '../../base/money.ts'
import { paymentMethods } from '../../cart/index.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { flag, id, idText, instant, integer, list, named, nullable, oneOf } from '../../http/schema.ts'
import { type Fulfilment, type LineUnits, stepsFrom } from '../fulfilment.ts'
import { amountOf, type Order, type OrderLine } from '../order.ts'
import { type Payment, paymentStatuses, paymentStepsFrom } from '../payment.ts'
import type { Return } from '../return.ts'
import { instalmentsOf } from '../schedule.ts'
import { fulfilmentAxis, isInInstalments, orderStatuses, paymentAxis, statesOf } from '../states.ts'
import { allowedSteps, steps } from '../steps.ts'
import type { OrderSummary } from '../store/listing.ts'

const count = integer(0, Number.MAX_SAFE_INTEGER)
const string = Type.String()
export const money = named(
  'Money',
  Type.Object(
    { amount: integer(0, Number.MAX_SAFE_INTEGER, { description: 'In tiyin.' }), currency: string },
    { examples: [{ amount: 129_900_000, currency: 'UZS' }] },
  ),
)
export const uuid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  examples: ['019a8a52-7c00-7f3e-8a7e-2f1c9a7be03d'],
})

export const lineUnits = Type.Object(
  { line: id, quantity: integer(1, 9_999) },
  { additionalProperties: false },
)

const line = named(
  'OrderLine',
  Type.Object({
    line: id,
    offer_id: nullable(idText),
    moderated_offer_id: nullable(idText),
    product_id: idText,
    title: string,
    quantity: integer(1, 9_999),
    unit_price: money,
    total: money,
    loan_condition: nullable(Type.Object({ id: idText, duration: count, commission: count })),
  }),
)

const summaryFields = {
  id: idText,
  checkout_id: uuid,
  customer_id: nullable(Type.String({ description: 'The client; null for guests.' })),
  partner_id: idText,
  status: oneOf(orderStatuses),
  payment_status: oneOf(paymentAxis),
  fulfilment_status: oneOf(fulfilmentAxis),
  payment_method: Type.Object({ id: idText, code: string }),
  delivery_address: string,
  total: money,
  items_count: count,
  lines: list(line, 200),
  created_at: instant,
  updated_at: instant,
}

export const orderSummary = named('OrderSummary', Type.Object(summaryFields))

export const paymentReply = named(
  'Payment',
  Type.Object({
    id: uuid,
    kind: oneOf(['card', 'cash', 'external', 'instalment']),
    status: oneOf(paymentStatuses),
    amount: money,
    card: nullable(Type.Object({ brand: string, last_digits: string })),
    reference: nullable(string),
    action_url: nullable(Type.String({ description: 'Where the buyer must go to approve it.' })),
    failure: nullable(Type.String({ examples: ['insufficient_funds'] })),
    refunds: list(
      Type.Object({
        id: uuid,
        amount: money,
        status: oneOf(['pending', 'refunded', 'failed']),
        reason: string,
        created_at: instant,
      }),
    ),
    allowed: list(oneOf(['capture', 'void', 'refund'])),
    created_at: instant,
  }),
)

export const fulfilmentReply = named(
  'Fulfilment',
  Type.Object({
    id: uuid,
    status: oneOf(['created', 'shipped', 'delivered', 'cancelled']),
    lines: list(lineUnits, 200),
    carrier: nullable(string),
    tracking_number: nullable(string),
    allowed: list(oneOf(['ship', 'deliver', 'cancel'])),
    created_at: instant,
    shipped_at: nullable(instant),
    delivered_at: nullable(instant),
  }),
)

export const returnReply = named(
  'Return',
  Type.Object({
    id: uuid,
    status: oneOf(['requested', 'received', 'rejected']),
    lines: list(lineUnits, 200),
    reason: string,
    amount: money,
    restocked: flag,
    requested_at: instant,
    decided_at: nullable(instant),
  }),
)

export const orderReply = named(
  'Order',
  Type.Object({
    ...summaryFields,
    cancellation: nullable(Type.Object({ reason: string, at: instant })),
    payments: list(paymentReply),
    fulfilments: list(fulfilmentReply),
    returns: list(returnReply),
    instalments: list(Type.Object({ number: id, due_on: string, amount: money, paid: flag }), 2_000),
    allowed: list(oneOf(steps)),
  }),
)

export const oneOrder = Type.Object({ order: orderReply })

/** How an order stands, in the answer to whoever changed a part of it. */
export const standing = named(
  'OrderStanding',
  Type.Object({
    id: idText,
    status: oneOf(orderStatuses),
    payment_status: oneOf(paymentAxis),
    fulfilment_status: oneOf(fulfilmentAxis),
    allowed: list(oneOf(steps)),
  }),
)

export function standingView(order: Order) {
  const { status, paymentStatus, fulfilmentStatus } = statesOf(order)
  return {
    id: String(order.id),
    status,
    payment_status: paymentStatus,
    fulfilment_status: fulfilmentStatus,
    allowed: allowedSteps(order),
  }
}

export function summaryView(order: OrderSummary, language: Language) {
  const method = paymentMethods.find((it) => it.id === order.methodId)!
  return {
    id: String(order.id),
    checkout_id: order.checkoutId,
    customer_id: order.buyer.kind === 'client' ? String(order.buyer.clientId) : null,
    partner_id: String(order.partnerId),
    status: order.status,
    payment_status: order.paymentStatus,
    fulfilment_status: order.fulfilmentStatus,
    payment_method: { id: String(method.id), code: method.code },
    delivery_address: order.address,
    total: asMoney(order.amountTiyin),
    items_count: order.lines.reduce((sum, it) => sum + it.quantity, 0),
    lines: order.lines.map((it) => lineView(it, language)),
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
  }
}

const lineView = (it: OrderLine, language: Language) => ({
  line: it.number,
  offer_id: it.isModerated ? null : String(it.offerId),
  moderated_offer_id: it.isModerated ? String(it.offerId) : null,
  product_id: String(it.productId),
  title: inLanguage(it.name, language),
  quantity: it.quantity,
  unit_price: asMoney(it.priceTiyin),
  total: asMoney(amountOf(it)),
  loan_condition: it.loan && {
    id: String(it.loan.conditionId),
    duration: it.loan.duration,
    commission: it.loan.commission,
  },
})

export function orderView(order: Order, language: Language) {
  const { cancelled, payments, fulfilments, returns } = order.story
  return {
    ...summaryView({ ...order, ...statesOf(order) }, language),
    cancellation: cancelled && { reason: cancelled.reason, at: cancelled.at.toISOString() },
    payments: payments.map(paymentView),
    fulfilments: fulfilments.map(fulfilmentView),
    returns: returns.map(returnView),
    instalments: isInInstalments(order)
      ? instalmentsOf(order).map((it) => ({
          number: it.number,
          due_on: it.dueOn,
          amount: asMoney(it.amountTiyin),
          paid: it.isPaid,
        }))
      : [],
    allowed: allowedSteps(order),
  }
}

/** The answer to whoever changed an order. */
export const orderAnswer = (order: Order, language: Language) => ({
  data: { order: orderView(order, language) },
  version: order.version,
})

export const paymentView = (it: Payment) => ({
  id: it.id,
  kind: it.kind,
  status: it.status,
  amount: asMoney(it.amountTiyin),
  card: it.card && { brand: it.card.brand, last_digits: it.card.lastDigits },
  reference: it.reference,
  action_url: it.actionUrl,
  failure: it.failure,
  refunds: it.refunds.map((one) => ({
    id: one.id,
    amount: asMoney(one.amountTiyin),
    status: one.status,
    reason: one.reason,
    created_at: one.at.toISOString(),
  })),
  allowed: paymentStepsFrom(it),
  created_at: it.at.toISOString(),
})

export const fulfilmentView = (it: Fulfilment) => ({
  id: it.id,
  status: it.status,
  lines: it.lines.map(unitsView),
  carrier: it.carrier,
  tracking_number: it.trackingNumber,
  allowed: stepsFrom(it.status),
  created_at: it.createdAt.toISOString(),
  shipped_at: it.shippedAt?.toISOString() ?? null,
  delivered_at: it.deliveredAt?.toISOString() ?? null,
})

const unitsView = ({ line: number, quantity }: LineUnits) => ({ line: number, quantity })

export const returnView = (it: Return) => ({
  id: it.id,
  status: it.status,
  lines: it.lines.map(unitsView),
  reason: it.reason,
  amount: asMoney(it.amountTiyin),
  restocked: it.isRestocked,
  requested_at: it.requestedAt.toISOString(),
  decided_at: it.decidedAt?.toISOString() ?? null,
})
