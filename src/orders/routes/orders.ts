// Orders: the list, one of them, what happened to it, calling it off, and what a client may still buy.

import { Type } from 'typebox'
import { asMoney } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { type Basket, shownBasket, type Terms } from '../../cart/index.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { idFilter, listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post, type Route } from '../../http/route.ts'
import { id, idText, instant, integer, list, name, oneOf, strict } from '../../http/schema.ts'
import { buyerOf } from '../../identity/index.ts'
import { cancelOrder } from '../cancel-order.ts'
import { fulfilmentAxis, orderStatuses, paymentAxis } from '../states.ts'
import { listOrders } from '../store/listing.ts'
import { listEvents } from '../store/orders.ts'
import { guestFields, guestQuery, heldOrder, orderId, reachOf, seenOrder } from './access.ts'
import type { Desks } from './index.ts'
import { money, oneOrder, orderAnswer, orderSummary, orderView, summaryView, uuid } from './views.ts'

const sorts = ['created_at', 'id'] as const

const filters = {
  ...guestFields,
  customer_id: idFilter('Orders of a client.'),
  partner_id: idFilter('Orders at a partner.'),
  payment_method_id: idFilter('Orders paid in one way.'),
  checkout_id: Type.Optional(uuid),
  status: Type.Optional(oneOf(orderStatuses)),
  payment_status: Type.Optional(oneOf(paymentAxis)),
  fulfilment_status: Type.Optional(oneOf(fulfilmentAxis)),
  created_from: Type.Optional(instantText),
  created_until: Type.Optional(instantText),
}

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

export const orderRoutes = (terms: Terms, desks: Desks): Route[] => [
  get('/v1/orders', {
    summary: 'List orders',
    description:
      'A client sees his own. Applications on devices name the session of the guest. At most 10 000 are counted.',
    scope: 'orders:read',
    query: listQuery(sorts, filters, '-created_at'),
    reply: Type.Object({ orders: list(orderSummary, 100), pagination }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, language, principal }) => {
      const { customer_id: customer, created_from: from, created_until: until } = query
      const reach = reachOf({ principal, query })
      const clientId = customer === undefined ? undefined : Number(customer)
      if (reach.clientId !== undefined && clientId !== undefined && clientId !== reach.clientId)
        throw refuse('buyer_mismatch', { field: 'customer_id' })
      const listing = listingOf(query, '-created_at')
      const slice = await listOrders(read, listing, {
        clientId,
        ...reach,
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
          orders: slice.rows.map((it) => summaryView(it, language)),
          pagination: paginationView(listing, slice),
        },
      }
    },
  }),
  get('/v1/orders/allowance', {
    summary: 'Read what a client may still buy',
    description: 'Today’s amount, credit, and units of products in thirty days, as ordering will judge them.',
    scope: 'orders:read',
    query: strict({ customer_id: idFilter('The client; not needed by himself.') }),
    reply: allowanceReply,
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, principal }) => {
      const buyer = buyerOf(
        principal!,
        { clientId: numberOf(query.customer_id) },
        { clientId: 'customer_id' },
      )
      const basket = await shownBasket(read, { buyer, terms })
      return { data: { allowance: allowanceView(basket, terms.dayOf(read.now)) } }
    },
  }),
  get('/v1/orders/{id}', {
    summary: 'Get an order',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: oneOrder,
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, language, ...call }) => {
      const order = await seenOrder(read, call)
      return { data: { order: orderView(order, language) }, version: order.version }
    },
  }),
  get('/v1/orders/{id}/events', {
    summary: 'Read all that happened to an order',
    description:
      'In its order. Events are added and never changed; the states of the order follow from them.',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: Type.Object({
      events: list(
        Type.Object({ number: id, type: Type.String(), at: instant, data: Type.Unknown() }),
        10_000,
      ),
    }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, ...call }) => {
      const order = await seenOrder(read, call)
      const events = await listEvents(read, order.id)
      return { data: { events: events.map((it) => ({ ...it, at: new Date(it.at).toISOString() })) } }
    },
  }),
  post('/v1/orders/{id}/cancel', {
    summary: 'Cancel an order',
    description:
      'As long as nothing of it was sent. Its units are for sale again, its money goes back, and it counts against no limit any more.',
    scope: 'orders:write',
    params: orderId,
    query: guestQuery,
    body: Type.Object({ reason: Type.Optional(name(500, 'Ordered twice')) }, { additionalProperties: false }),
    reply: oneOrder,
    versioned: true,
    refusals: ['buyer_required', 'buyer_mismatch', 'invalid_transition'],
    run: async ({ tx, body, language, environment, ...call }) => {
      const order = await heldOrder(tx, call)
      const step = await cancelOrder(tx, order, body.reason ?? 'cancelled on request')
      tx.afterCommit(() => desks[environment].perform(step.tasks))
      return orderAnswer(step.order, language)
    },
  }),
]

const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))

function allowanceView({ purchase: { limits, spent } }: Basket, day: string) {
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
