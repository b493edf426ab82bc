// Routes of fulfilments. Changes are for staff.

import { Type } from 'typebox'
import { get, post, type Route } from '../../http/route.ts'
import { list, name, strict, uuid } from '../../http/schema.ts'
import { createFulfilment, moveFulfilment } from './fulfil-order.ts'
import type { Order } from '../order.ts'
import { callerOf, guestQuery, lockOrderForStaff, orderId, visibleOrder } from '../access.ts'
import { fulfilmentReply, fulfilmentView, lineUnits, orderState, orderStateView } from '../view.ts'

const shared = {
  scope: 'orders:write',
  query: guestQuery,
  reply: Type.Object({ fulfilment: fulfilmentReply, order: orderState }),
  versioned: true,
  refusals: ['buyer_required', 'buyer_mismatch', 'invalid_transition'],
} as const

/** Only staff change fulfilments. */
const replyWith = (order: Order, fulfilmentId: string) => ({
  data: {
    fulfilment: fulfilmentView(
      order.progress.fulfilments.find((it) => it.id === fulfilmentId)!,
      'staff',
    ),
    order: orderStateView(order, 'staff'),
  },
  version: order.version,
})

const params = { ...orderId, fulfilmentId: uuid }
const optionalName = (max: number, example: string) => Type.Optional(name(max, example))

export const fulfilmentRoutes: Route[] = [
  get('/v1/orders/{id}/fulfilments', {
    summary: 'List the fulfilments of an order',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: Type.Object({ fulfilments: list(fulfilmentReply) }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, ...request }) => {
      const { progress } = await visibleOrder(read, request)
      return {
        data: { fulfilments: progress.fulfilments.map((it) => fulfilmentView(it, callerOf(request))) },
      }
    },
  }),
  post('/v1/orders/{id}/fulfilments', {
    ...shared,
    summary: 'Create a fulfilment of an order',
    description: 'With the given units, or with all units that are in no fulfilment yet.',
    params: orderId,
    body: strict({ lines: Type.Optional(Type.Array(lineUnits, { minItems: 1, maxItems: 200 })) }),
    creates: true,
    run: async ({ tx, body, ...request }) => {
      const order = await lockOrderForStaff(tx, request)
      const step = await createFulfilment(tx, order, body.lines)
      return replyWith(step.order, step.order.progress.fulfilments.at(-1)!.id)
    },
  }),
  post('/v1/orders/{id}/fulfilments/{fulfilmentId}/ship', {
    ...shared,
    summary: 'Ship a fulfilment',
    params,
    body: strict({
      carrier: optionalName(100, 'Fargo'),
      tracking_number: optionalName(100, 'FG123456789UZ'),
    }),
    run: async ({ tx, body, params: named, ...request }) => {
      const order = await lockOrderForStaff(tx, { params: named, ...request })
      const { fulfilmentId } = named
      const { carrier, tracking_number: trackingNumber } = body
      const move = { fulfilmentId, step: 'ship', carrier, trackingNumber } as const
      return replyWith((await moveFulfilment(tx, order, move)).order, named.fulfilmentId)
    },
  }),
  ...(['deliver', 'cancel'] as const).map((step) =>
    post(`/v1/orders/{id}/fulfilments/{fulfilmentId}/${step}`, {
      ...shared,
      summary: step === 'deliver' ? 'Mark a fulfilment as delivered' : 'Cancel a fulfilment',
      params,
      run: async ({ tx, params: named, ...request }) => {
        const order = await lockOrderForStaff(tx, { params: named, ...request })
        const move = { fulfilmentId: named.fulfilmentId, step }
        return replyWith((await moveFulfilment(tx, order, move)).order, named.fulfilmentId)
      },
    }),
  ),
]
