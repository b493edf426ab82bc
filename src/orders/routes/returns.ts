// Units that come back.

import { Type } from 'typebox'
import { get, post, type Route } from '../../http/route.ts'
import { flag, list, strict, text } from '../../http/schema.ts'
import type { Order } from '../order.ts'
import { receiveReturn, rejectReturn, requestReturn } from '../return-units.ts'
import { guestQuery, heldByStaff, heldOrder, orderId, seenOrder } from './access.ts'
import type { Desks } from './index.ts'
import { lineUnits, returnReply, returnView, standing, standingView, uuid } from './views.ts'

const shared = {
  scope: 'orders:write',
  query: guestQuery,
  reply: Type.Object({ return: returnReply, order: standing }),
  versioned: true,
  refusals: ['buyer_required', 'buyer_mismatch', 'invalid_transition'],
} as const

const answer = (order: Order, returnId: string) => ({
  data: {
    return: returnView(order.story.returns.find((it) => it.id === returnId)!),
    order: standingView(order),
  },
  version: order.version,
})

const params = { ...orderId, returnId: uuid }
const reason = text({ max: 500, pattern: '\\S', examples: ['It does not fit.'] })

export const returnRoutes = (desks: Desks): Route[] => [
  get('/v1/orders/{id}/returns', {
    summary: 'List the returns of an order',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: Type.Object({ returns: list(returnReply) }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, ...call }) => {
      const { story } = await seenOrder(read, call)
      return { data: { returns: story.returns.map(returnView) } }
    },
  }),
  post('/v1/orders/{id}/returns', {
    ...shared,
    summary: 'Ask to send units back',
    description: 'Delivered units: those named, or all.',
    params: orderId,
    body: strict({ lines: Type.Optional(Type.Array(lineUnits, { minItems: 1, maxItems: 200 })), reason }),
    creates: true,
    run: async ({ tx, body, ...call }) => {
      const order = await heldOrder(tx, call)
      const step = await requestReturn(tx, order, { lines: body.lines, reason: body.reason })
      return answer(step.order, step.order.story.returns.at(-1)!.id)
    },
  }),
  post('/v1/orders/{id}/returns/{returnId}/receive', {
    ...shared,
    summary: 'Note that units came back',
    description: 'Their money goes back; with `restock` they are for sale again.',
    params,
    body: Type.Object({ restock: Type.Optional(flag) }, { additionalProperties: false }),
    run: async ({ tx, body, params: named, environment, ...call }) => {
      const order = await heldByStaff(tx, { params: named, ...call })
      const step = await receiveReturn(tx, order, {
        returnId: named.returnId,
        isRestocked: body.restock ?? true,
      })
      tx.afterCommit(() => desks[environment].perform(step.tasks))
      return answer(step.order, named.returnId)
    },
  }),
  post('/v1/orders/{id}/returns/{returnId}/reject', {
    ...shared,
    summary: 'Decline a return',
    params,
    body: strict({ reason }),
    run: async ({ tx, body, params: named, ...call }) => {
      const order = await heldByStaff(tx, { params: named, ...call })
      const step = await rejectReturn(tx, order, { returnId: named.returnId, reason: body.reason })
      return answer(step.order, named.returnId)
    },
  }),
]
