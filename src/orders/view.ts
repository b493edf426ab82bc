// Schemas and views of orders: ids as decimal strings, money as `{amount, currency}`.

import { Type } from 'typebox'
import { minuteMs } from '../base/clock.ts'
import { asMoney } from '../base/money.ts'
import { paymentMethodCodes, paymentMethods } from '../cart/index.ts'
import {
  flag,
  id,
  idText,
  instant,
  integer,
  list,
  named,
  nullable,
  oneOf,
  smallId,
  uuid,
} from '../http/schema.ts'
import { deliveryReply, deliveryView, inV1 } from './delivery/request.ts'
import { type Fulfilment, type LineUnits, stepsFrom } from './fulfilment/fulfilment.ts'
import { couponTiyin, type Order } from './order.ts'
import { lineReply, lineView, money, urlOf, type ViewOptions } from './line-view.ts'
import { type Payment, paymentStatuses, paymentStepsFrom } from './payments/payment.ts'
import type { Return } from './returns/return.ts'
import { type Amount, amountsOf, keptReasons, openReasons } from './amounts.ts'
import {
  commissionTiyin,
  earlyRepaymentTiyin,
  instalmentsOf,
  isInInstalments,
  openInstalments,
  totalToRepayTiyin,
} from './payments/instalments.ts'
import { fulfilmentAxis, orderStatuses, paymentAxis, statesOf } from './states.ts'
import { allowedSteps, type Caller, steps, stepsForStaff } from './steps.ts'
import type { OrderSummary } from './listing-store.ts'

export { money, type ViewOptions }

const count = integer(0, Number.MAX_SAFE_INTEGER)
const string = Type.String()
export const lineUnits = Type.Object(
  { line: smallId, quantity: integer(1, 9_999) },
  { additionalProperties: false },
)

const summaryFields = {
  id: idText,
  checkout_id: uuid,
  customer_id: nullable(Type.String({ description: 'The client; null for guests.' })),
  partner_id: idText,
  partner_name: nullable(string),
  status: oneOf(orderStatuses),
  payment_status: oneOf(paymentAxis),
  fulfilment_status: oneOf(fulfilmentAxis),
  mandate_id: nullable({
    ...uuid,
    description: 'The mandate under which an application ordered.',
  } as typeof uuid),
  payment_method: Type.Object({ id: idText, code: oneOf(paymentMethodCodes), name: string }),
  pay_until: nullable(
    Type.String({
      format: 'date-time',
      description: 'While the order awaits payment: it is cancelled at this time.',
    }),
  ),
  contact: nullable(Type.Object({ name: string, phone: nullable(string), email: nullable(string) })),
  delivery_address: Type.String({ description: 'Where the order goes, in one line.' }),
  delivery: deliveryReply(inV1),
  discount: { ...money, description: 'What the coupon took off.' } as typeof money,
  coupon_code: nullable(string),
  total: money,
  items_count: count,
  lines: list(lineReply, 200),
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
    action_url: nullable(Type.String({ description: 'Page where the buyer approves the payment.' })),
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
    commission: nullable(
      Type.Object(
        { amount: money, refunded: flag },
        {
          description: 'The paid commission for the returned units. It is kept after 14 days from delivery.',
        },
      ),
    ),
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
    instalments: list(
      Type.Object({
        number: id,
        due_on: string,
        amount: money,
        commission: money,
        delivery: money,
        paid: flag,
        status: oneOf(['paid', 'due', 'overdue']),
        paid_at: nullable(instant),
      }),
      2_000,
    ),
    early_repayment: nullable({
      ...money,
      description: 'What repaying everything today costs; null when nothing is open.',
    } as typeof money),
    total_to_repay: nullable(money),
    amounts: Type.Object(
      {
        paid: money,
        refunded: money,
        kept: list(Type.Object({ reason: oneOf(keptReasons), amount: money })),
        open: list(Type.Object({ reason: oneOf(openReasons), amount: money })),
      },
      { description: 'What the shop keeps and what is still open, each with its reason.' },
    ),
    allowed: list(oneOf(steps)),
  }),
)

export const oneOrder = Type.Object({ order: orderReply })

/** The states of an order, in replies to changes of its payments, fulfilments and returns. */
export const orderState = named(
  'OrderStanding',
  Type.Object({
    id: idText,
    status: oneOf(orderStatuses),
    payment_status: oneOf(paymentAxis),
    fulfilment_status: oneOf(fulfilmentAxis),
    allowed: list(oneOf(steps)),
  }),
)

export function orderStateView(order: Order, caller: Caller) {
  const { status, paymentStatus, fulfilmentStatus } = statesOf(order)
  return {
    id: String(order.id),
    status,
    payment_status: paymentStatus,
    fulfilment_status: fulfilmentStatus,
    allowed: allowedSteps(order, caller),
  }
}

export function summaryView(order: OrderSummary, options: ViewOptions) {
  const { language, unpaidOrderMinutes } = options
  const method = paymentMethods.find((it) => it.id === order.methodId)!
  return {
    id: String(order.id),
    checkout_id: order.checkoutId,
    customer_id: order.buyer.kind === 'client' ? String(order.buyer.clientId) : null,
    partner_id: String(order.partnerId),
    partner_name: order.partnerName,
    status: order.status,
    payment_status: order.paymentStatus,
    fulfilment_status: order.fulfilmentStatus,
    mandate_id: order.mandateId,
    payment_method: { id: String(method.id), code: method.code, name: method.name[language] },
    pay_until:
      order.status === 'awaiting_payment'
        ? new Date(order.createdAt.getTime() + unpaidOrderMinutes * minuteMs).toISOString()
        : null,
    contact: order.contact,
    delivery_address: order.address,
    delivery: deliveryView(order.delivery, language, inV1),
    discount: asMoney(couponTiyin(order)),
    coupon_code: order.couponCode,
    total: asMoney(order.amountTiyin),
    items_count: order.lines.reduce((sum, it) => sum + it.quantity, 0),
    lines: order.lines.map((it) => lineView(it, options)),
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
  }
}

/** For whom a view is made. */
export interface Viewer extends ViewOptions {
  caller: Caller
  /** The business day. */
  today: string
}

function orderView(order: Order, viewer: Viewer) {
  const { caller, today } = viewer
  const { cancelled, payments, fulfilments, returns } = order.progress
  return {
    ...summaryView({ ...order, ...statesOf(order) }, viewer),
    cancellation: cancelled && { reason: cancelled.reason, at: cancelled.at.toISOString() },
    payments: payments.map((it) => paymentView(it, viewer)),
    fulfilments: fulfilments.map((it) => fulfilmentView(it, caller)),
    returns: returns.map(returnView),
    ...repaymentView(order, today),
    allowed: allowedSteps(order, caller),
  }
}

function repaymentView(order: Order, today: string) {
  const amounts = amountsOf(order, today)
  const withReasons = <Reason extends string>(them: Amount<Reason>[]) =>
    them.map(({ reason, tiyin }) => ({ reason, amount: asMoney(tiyin) }))
  return {
    instalments: isInInstalments(order)
      ? instalmentsOf(order).map((it) => ({
          number: it.number,
          due_on: it.dueOn,
          amount: asMoney(it.amountTiyin),
          commission: asMoney(commissionTiyin(it)),
          delivery: asMoney(it.deliveryTiyin),
          paid: it.isPaid,
          status: it.isPaid ? ('paid' as const) : it.dueOn < today ? ('overdue' as const) : ('due' as const),
          paid_at: it.paidAt?.toISOString() ?? null,
        }))
      : [],
    early_repayment: openInstalments(order).length > 0 ? asMoney(earlyRepaymentTiyin(order, today)) : null,
    total_to_repay: isInInstalments(order) ? asMoney(totalToRepayTiyin(order)) : null,
    amounts: {
      paid: asMoney(amounts.paidTiyin),
      refunded: asMoney(amounts.refundedTiyin),
      kept: withReasons(amounts.kept),
      open: withReasons(amounts.open),
    },
  }
}

/** The reply to a change of an order. */
export const versionedOrderView = (order: Order, viewer: Viewer) => ({
  data: { order: orderView(order, viewer) },
  version: order.version,
})

export const paymentView = (it: Payment, { caller, origin }: Pick<Viewer, 'caller' | 'origin'>) => ({
  id: it.id,
  kind: it.kind,
  status: it.status,
  amount: asMoney(it.amountTiyin),
  card: it.card && { brand: it.card.brand, last_digits: it.card.lastDigits },
  reference: it.reference,
  action_url: it.actionUrl && urlOf(it.actionUrl, origin),
  failure: it.failure,
  refunds: it.refunds.map((refund) => ({
    id: refund.id,
    amount: asMoney(refund.amountTiyin),
    status: refund.status,
    reason: refund.reason,
    created_at: refund.at.toISOString(),
  })),
  allowed: stepsForStaff(paymentStepsFrom(it), caller),
  created_at: it.at.toISOString(),
})

export const fulfilmentView = (it: Fulfilment, caller: Caller) => ({
  id: it.id,
  status: it.status,
  lines: it.lines.map(unitsView),
  carrier: it.carrier,
  tracking_number: it.trackingNumber,
  allowed: stepsForStaff(stepsFrom(it.status), caller),
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
  commission: it.commission && {
    amount: asMoney(it.commission.tiyin),
    refunded: it.commission.isRefunded,
  },
  requested_at: it.requestedAt.toISOString(),
  decided_at: it.decidedAt?.toISOString() ?? null,
})
