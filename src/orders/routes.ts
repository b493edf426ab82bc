// Routes of orders: list, details, events, cancellation and the client's allowance.

import { Type } from 'typebox'
import { asMoney } from '../base/money.ts'
import { refuse } from '../base/refusal.ts'
import { paymentMethods, type PricedCart, viewCart, type CartSettings } from '../cart/index.ts'
import { instantOf, instantText } from '../http/instant.ts'
import { idFilter, listingOf, listQuery, pagination, paginationView } from '../http/listing.ts'
import { get, post, type Route } from '../http/route.ts'
import { id, idText, instant, integer, list, name, oneOf, strict, uuid } from '../http/schema.ts'
import { buyerOf } from '../identity/index.ts'
import { cancelOrder } from './cancel-order.ts'
import { fulfilmentAxis, orderStatuses, paymentAxis } from './states.ts'
import { skippedReply, skippedView } from './line-view.ts'
import { returnToCart } from './placing/to-cart.ts'
import { listOrders } from './listing-store.ts'
import { orderEventTypes } from './order-events.ts'
import { listEvents } from './store.ts'
import {
  callerOf,
  guestFields,
  guestQuery,
  lockVisibleOrder,
  orderId,
  visibleTo,
  visibleOrder,
} from './access.ts'
import type { PaymentProcessors } from './payments/payment-processor.ts'
import {
  money,
  oneOrder,
  versionedOrderView,
  orderState,
  orderStateView,
  orderSummary,
  summaryView,
} from './view.ts'

const sorts = ['created_at', 'id'] as const

const filters = {
  ...guestFields,
  customer_id: idFilter('Orders of a client.'),
  partner_id: idFilter('Orders at a partner.'),
  payment_method_id: Type.Optional(
    oneOf(
      paymentMethods.map((it) => String(it.id)),
      { description: 'Orders with this payment method.' },
    ),
  ),
  checkout_id: Type.Optional(uuid),
  status: Type.Optional(oneOf(orderStatuses)),
  payment_status: Type.Optional(oneOf(paymentAxis)),
  fulfilment_status: Type.Optional(oneOf(fulfilmentAxis)),
  created_from: Type.Optional(instantText),
  created_until: Type.Optional(instantText),
}

const skippedLine = Type.Object({ line: id, ...skippedReply.properties })

/** The rules of the cart that returned lines can break. */
const cartRefusals = [
  'stock_exceeded',
  'product_limit_exceeded',
  'guest_limit_exceeded',
  'amount_too_large',
  'purchase_limit_exceeded',
  'credit_limit_exceeded',
  'loan_condition_unavailable',
  'partner_credit_inactive',
  'cart_full',
  'nothing_orderable',
  'offer_unavailable',
  'moderation_pending',
] as const

const allowanceReply = Type.Object({
  allowance: Type.Object({
    day: Type.String({ description: 'The business day, in the zone of the shop.' }),
    daily_amount: Type.Object({ limit: money, used: money, left: money }),
    credit: Type.Object({ limit: money, used: money, left: money }),
    product_units: Type.Object({
      per_order: integer(0, 1_000_000_000),
      per_30_days: integer(0, 1_000_000_000),
      used: list(
        Type.Object({ product_id: idText, used: integer(0, 1_000_000_000), left: integer(0, 1_000_000_000) }),
        10_000,
      ),
    }),
  }),
})

export interface OrderRouteOptions {
  settings: CartSettings
  processors: PaymentProcessors
  unpaidOrderMinutes: number
}

export const orderRoutes = ({ settings, processors, unpaidOrderMinutes }: OrderRouteOptions): Route[] => [
  get('/v1/orders', {
    summary: 'List orders',
    description:
      'Clients see their own orders. Applications on devices send the `session_id` of the guest. At most 10 000 orders are counted.',
    scope: 'orders:read',
    query: listQuery(sorts, filters, '-created_at'),
    reply: Type.Object({ orders: list(orderSummary, 100), pagination }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, language, principal, origin }) => {
      const { customer_id: customer, created_from: from, created_until: until } = query
      const visibility = visibleTo({ principal, query })
      const clientId = customer === undefined ? undefined : Number(customer)
      if (visibility.clientId !== undefined && clientId !== undefined && clientId !== visibility.clientId)
        throw refuse('buyer_mismatch', { field: 'customer_id' })
      const listing = listingOf(query, '-created_at')
      const page = await listOrders(read, listing, {
        clientId,
        ...visibility,
        partnerId: numberOf(query.partner_id),
        methodId: numberOf(query.payment_method_id),
        checkoutId: query.checkout_id,
        status: query.status,
        paymentStatus: query.payment_status,
        fulfilmentStatus: query.fulfilment_status,
        from: from === undefined ? undefined : instantOf(from, 'created_from'),
        until: until === undefined ? undefined : instantOf(until, 'created_until'),
      })
      return {
        data: {
          orders: page.rows.map((it) => summaryView(it, { language, origin, unpaidOrderMinutes })),
          pagination: paginationView(listing, page),
        },
      }
    },
  }),
  get('/v1/orders/allowance', {
    summary: 'Read what a client may still buy',
    description: 'Today’s amount, credit, and units of products in thirty days, as ordering will check them.',
    scope: 'orders:read',
    query: strict({ customer_id: idFilter('The client; clients may omit it for themselves.') }),
    reply: allowanceReply,
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, principal }) => {
      const buyer = buyerOf(
        principal!,
        { clientId: numberOf(query.customer_id) },
        { clientId: 'customer_id' },
      )
      const priced = await viewCart(read, { buyer, settings })
      return { data: { allowance: allowanceView(priced, settings.dayOf(read.now)) } }
    },
  }),
  get('/v1/orders/{id}', {
    summary: 'Get an order',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: oneOrder,
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, language, ...request }) => {
      const order = await visibleOrder(read, request)
      return versionedOrderView(order, {
        language,
        origin: request.origin,
        unpaidOrderMinutes,
        caller: callerOf(request),
        today: settings.dayOf(read.now),
      })
    },
  }),
  get('/v1/orders/{id}/events', {
    summary: 'List the events of an order',
    description:
      'Oldest first. Events are added and never changed; the states of the order follow from them.',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: Type.Object({
      events: list(
        Type.Object({ number: id, type: oneOf(orderEventTypes), at: instant, data: Type.Unknown() }),
        10_000,
      ),
    }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, ...request }) => {
      const order = await visibleOrder(read, request)
      const events = await listEvents(read, order.id)
      return { data: { events: events.map((it) => ({ ...it, at: new Date(it.at).toISOString() })) } }
    },
  }),
  post('/v1/orders/{id}/cancel', {
    summary: 'Cancel an order',
    description:
      'Possible until something is shipped. The units are for sale again, payments are voided or refunded, and the order no longer counts against limits.',
    scope: 'orders:write',
    params: orderId,
    query: guestQuery,
    body: Type.Object({ reason: Type.Optional(name(500, 'Ordered twice')) }, { additionalProperties: false }),
    reply: oneOrder,
    versioned: true,
    refusals: ['buyer_required', 'buyer_mismatch', 'invalid_transition'],
    run: async ({ tx, body, language, environment, ...request }) => {
      const order = await lockVisibleOrder(tx, request)
      const step = await cancelOrder(tx, order, {
        reason: body.reason ?? 'cancelled on request',
        caller: callerOf(request),
      })
      tx.afterCommit(() => processors[environment].perform(step.tasks))
      return versionedOrderView(step.order, {
        language,
        origin: request.origin,
        unpaidOrderMinutes,
        caller: callerOf(request),
        today: settings.dayOf(tx.now),
      })
    },
  }),
  post('/v1/orders/{id}/to-cart', {
    summary: 'Put a cancelled order back into the cart',
    description:
      'Adds the lines of a cancelled order, for example of one that was not paid in time, to the cart of its buyer, once. Lines that cannot be bought now are listed in `skipped` with the reason, and loan conditions that cannot be chosen now are left out; all others must pass the rules of the cart. When no line can be bought, the call is refused and can be repeated later.',
    scope: ['cart:write', 'orders:write'],
    params: orderId,
    query: guestQuery,
    reply: Type.Object({ order: orderState, skipped: list(skippedLine, 200) }),
    versioned: true,
    refusals: ['buyer_required', 'buyer_mismatch', 'invalid_transition', ...cartRefusals],
    run: async ({ tx, ...request }) => {
      const caller = callerOf(request)
      const order = await lockVisibleOrder(tx, request)
      const step = await returnToCart(tx, order, {
        shopper: { settings, applicationId: request.principal!.application?.id ?? null },
        caller,
      })
      return {
        data: {
          order: orderStateView(step.order, caller),
          skipped: step.skipped.map(({ line, reason }) => ({
            line: line.number,
            ...skippedView(line, reason),
          })),
        },
        version: step.order.version,
      }
    },
  }),
]

const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))

function allowanceView({ limits, spent }: PricedCart, day: string) {
  const share = (limit: number, used: number) => ({
    limit: asMoney(limit),
    used: asMoney(used),
    left: asMoney(Math.max(0, limit - used)),
  })
  return {
    day,
    daily_amount: share(limits.dailyAmountTiyin, spent.todayTiyin),
    credit: share(limits.creditTiyin, spent.creditTiyin),
    product_units: {
      per_order: limits.productUnitsPerOrder,
      per_30_days: limits.productUnitsPer30Days,
      used: [...spent.units]
        .filter(([, used]) => used > 0)
        .toSorted(([a], [b]) => a - b)
        .map(([productId, used]) => ({
          product_id: String(productId),
          used,
          left: Math.max(0, limits.productUnitsPer30Days - used),
        })),
    },
  }
}
