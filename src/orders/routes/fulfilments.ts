// Parcels of orders, for those who pack and send them.

import { Type } from 'typebox'
import { get, post, type Route } from '../../http/route.ts'
import { list, name, strict } from '../../http/schema.ts'
import { createFulfilment, moveFulfilment } from '../fulfil-order.ts'
import type { Order } from '../order.ts'
import { guestQuery, heldByStaff, orderId, seenOrder } from './access.ts'
import { fulfilmentReply, fulfilmentView, lineUnits, standing, standingView, uuid } from './views.ts'

const shared = {
  scope: 'orders:write',
  query: guestQuery,
  reply: Type.Object({ fulfilment: fulfilmentReply, order: standing }),
  versioned: true,
  refusals: ['buyer_required', 'buyer_mismatch', 'invalid_transition'],
} as const

const answer = (order: Order, fulfilmentId: string) => ({
  data: {
    fulfilment: fulfilmentView(order.story.fulfilments.find((it) => it.id === fulfilmentId)!),
    order: standingView(order),
  },
  version: order.version,
})

const params = { ...orderId, fulfilmentId: uuid }
const word = (max: number, example: string) => Type.Optional(name(max, example))

export const fulfilmentRoutes: Route[] = [
  get('/v1/orders/{id}/fulfilments', {
    summary: 'List the fulfilments of an order',
    scope: 'orders:read',
    params: orderId,
    query: guestQuery,
    reply: Type.Object({ fulfilments: list(fulfilmentReply) }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, ...call }) => {
      const { story } = await seenOrder(read, call)
      return { data: { fulfilments: story.fulfilments.map(fulfilmentView) } }
    },
  }),
  post('/v1/orders/{id}/fulfilments', {
    ...shared,
    summary: 'Put units of an order into a parcel',
    description: 'Those named, or all that are in none yet.',
    params: orderId,
    body: strict({ lines: Type.Optional(Type.Array(lineUnits, { minItems: 1, maxItems: 200 })) }),
    creates: true,
    run: async ({ tx, body, ...call }) => {
      const order = await heldByStaff(tx, call)
      const made = await createFulfilment(tx, order, body.lines)
      return answer(made.order, made.order.story.fulfilments.at(-1)!.id)
    },
  }),
  post('/v1/orders/{id}/fulfilments/{fulfilmentId}/ship', {
    ...shared,
    summary: 'Send a parcel off',
    params,
    body: strict({ carrier: word(100, 'Fargo'), tracking_number: word(100, 'FG123456789UZ') }),
    run: async ({ tx, body, params: named, ...call }) => {
      const order = await heldByStaff(tx, { params: named, ...call })
      const { fulfilmentId } = named
      const { carrier, tracking_number: trackingNumber } = body
      const move = { fulfilmentId, step: 'ship', carrier, trackingNumber } as const
      return answer((await moveFulfilment(tx, order, move)).order, named.fulfilmentId)
    },
  }),
  ...(['deliver', 'cancel'] as const).map((step) =>
    post(`/v1/orders/{id}/fulfilments/{fulfilmentId}/${step}`, {
      ...shared,
      summary: step === 'deliver' ? 'Note that a parcel has arrived' : 'Unpack a parcel again',
      params,
      run: async ({ tx, params: named, ...call }) => {
        const order = await heldByStaff(tx, { params: named, ...call })
        const move = { fulfilmentId: named.fulfilmentId, step }
        return answer((await moveFulfilment(tx, order, move)).order, named.fulfilmentId)
      },
    }),
  ),
]
