// Routes of returns.

import { Type } from 'typebox'
import { get, post, type Route } from '../../http/route.ts'
import { flag, list, strict, text, uuid } from '../../http/schema.ts'
import type { Order } from '../order.ts'
import type { Caller } from '../steps.ts'
import { receiveReturn, rejectReturn, requestReturn } from './return-units.ts'
import {
  callerOf,
  guestQuery,
  lockOrderForStaff,
  lockVisibleOrder,
  orderId,
  visibleOrder,
} from '../access.ts'
import type { PaymentProcessors } from '../payments/payment-processor.ts'
import { lineUnits, returnReply, returnView, orderState, orderStateView } from '../view.ts'

const shared = {
  scope: 'orders:write',
  query: guestQuery,
  reply: Type.Object({ return: returnReply, order: orderState }),
  versioned: true,
  refusals: ['buyer_required', 'buyer_mismatch', 'invalid_transition'],
} as const

const replyWith = (order: Order, returnId: string, caller: Caller) => ({
  data: {
    return: returnView(order.progress.returns.find((it) => it.id === returnId)!),
    order: orderStateView(order, caller),
  },
  version: order.version,
})

const params = { ...orderId, returnId: uuid }
const reason = text({ max: 500, pattern: '\\S', examples: ['It does not fit.'] })

export const returnRoutes = (processors: PaymentProcessors): Route[] => [
  get('/v1/orders/{id}/returns', {
    summary: 'List the returns of an order',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: Type.Object({ returns: list(returnReply) }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, ...request }) => {
      const { progress } = await visibleOrder(read, request)
      return { data: { returns: progress.returns.map(returnView) } }
    },
  }),
  post('/v1/orders/{id}/returns', {
    ...shared,
    summary: 'Request a return',
    description: 'Of the given delivered units, or of all.',
    params: orderId,
    body: strict({ lines: Type.Optional(Type.Array(lineUnits, { minItems: 1, maxItems: 200 })), reason }),
    creates: true,
    run: async ({ tx, body, ...request }) => {
      const caller = callerOf(request)
      const order = await lockVisibleOrder(tx, request)
      const step = await requestReturn(tx, order, { lines: body.lines, reason: body.reason, caller })
      return replyWith(step.order, step.order.progress.returns.at(-1)!.id, caller)
    },
  }),
  post('/v1/orders/{id}/returns/{returnId}/receive', {
    ...shared,
    summary: 'Receive a return',
    description: 'The units are refunded. With `restock` (the default) they are for sale again.',
    params,
    body: Type.Object({ restock: Type.Optional(flag) }, { additionalProperties: false }),
    run: async ({ tx, body, params: named, environment, ...request }) => {
      const order = await lockOrderForStaff(tx, { params: named, ...request })
      const step = await receiveReturn(tx, order, {
        returnId: named.returnId,
        isRestocked: body.restock ?? true,
      })
      tx.afterCommit(() => processors[environment].perform(step.tasks))
      return replyWith(step.order, named.returnId, 'staff')
    },
  }),
  post('/v1/orders/{id}/returns/{returnId}/reject', {
    ...shared,
    summary: 'Reject a return',
    params,
    body: strict({ reason }),
    run: async ({ tx, body, params: named, ...request }) => {
      const order = await lockOrderForStaff(tx, { params: named, ...request })
      const step = await rejectReturn(tx, order, { returnId: named.returnId, reason: body.reason })
      return replyWith(step.order, named.returnId, 'staff')
    },
  }),
]
