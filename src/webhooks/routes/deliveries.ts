// What was sent to a webhook, how that went, and sending it again.

import { Type } from 'typebox'
import { eventsById } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post, type Route } from '../../http/route.ts'
import { id, integer, list, oneOf, strict, text } from '../../http/schema.ts'
import { cloudEventText } from '../cloud-event.ts'
import { longestLine } from '../endpoint.ts'
import { redeliverOne, redeliverPeriod } from '../redeliver.ts'
import {
  attemptsOf,
  deliverySorts,
  deliveryStatuses,
  findDelivery,
  listDeliveries,
} from '../store/deliveries.ts'
import {
  attemptView,
  deliveryReply,
  deliveryView,
  deliveryWithAttempts,
  filterList,
  refuseEmptyFilters,
  uuid,
} from './wire.ts'
import { foundEndpoint } from './webhooks.ts'

const params = { webhook_id: uuid }

export const deliveryRoutes: Route[] = [
  get('/v1/webhooks/{webhook_id}/deliveries', {
    summary: 'List the deliveries of a webhook',
    scope: 'admin:read',
    params,
    query: listQuery(
      deliverySorts,
      {
        status: Type.Optional(oneOf(deliveryStatuses)),
        type: Type.Optional(text({ max: 100 })),
        subject: Type.Optional(text({ max: 300 })),
        event_id: Type.Optional(uuid),
      },
      '-id',
    ),
    reply: Type.Object({ deliveries: list(deliveryReply, 100), pagination }),
    run: async ({ read, params, query }) => {
      const endpoint = await foundEndpoint(read, params.webhook_id)
      const listing = listingOf(query, '-id')
      const { status, type, subject, event_id: eventId } = query
      const slice = await listDeliveries(read, endpoint.id, {
        filter: { status, type, subject, eventId },
        listing,
      })
      return {
        data: { deliveries: slice.rows.map(deliveryView), pagination: paginationView(listing, slice) },
      }
    },
  }),
  get('/v1/webhooks/{webhook_id}/deliveries/{delivery_id}', {
    summary: 'Get a delivery with all its tries',
    description: 'Every request as we sent it, and every reply up to 3 kB.',
    scope: 'admin:read',
    params: { ...params, delivery_id: id },
    reply: Type.Object({ delivery: deliveryWithAttempts }),
    run: async ({ read, params, environment }) => {
      const { id: endpointId } = await foundEndpoint(read, params.webhook_id)
      const delivery = await findDelivery(read, endpointId, params.delivery_id)
      if (!delivery) throw refuse('not_found')
      const [attempts, [event]] = await Promise.all([
        attemptsOf(read, delivery.id),
        eventsById(read, [delivery.eventId]),
      ])
      const body = event ? cloudEventText(event, environment) : null
      const log = attempts.map((it) => attemptView(it, body))
      return { data: { delivery: { ...deliveryView(delivery), log } } }
    },
  }),
  post('/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', {
    summary: 'Send an event again',
    description: 'One that still waits for its next try is tried now.',
    scope: 'admin:write',
    params: { ...params, delivery_id: id },
    reply: Type.Object({ delivery: deliveryReply }),
    refusals: ['conflict', 'invalid_transition'],
    run: async ({ tx, params }) => ({
      data: { delivery: deliveryView(await redeliverOne(tx, params.webhook_id, params.delivery_id)) },
    }),
  }),
  post('/v1/webhooks/{webhook_id}/redeliver', {
    summary: 'Send the events of a period again',
    description: `Everything that the webhook's filters name and that happened from \`from\` to before \`to\`, whether it was delivered or not: after an outage, or for a webhook that is new. At most as much as its line of ${longestLine} holds.`,
    scope: 'admin:write',
    params,
    body: strict({ from: instantText, to: instantText, filters: Type.Optional(filterList) }),
    reply: Type.Object({ queued: integer(0, longestLine) }),
    refusals: ['conflict', 'invalid_transition'],
    run: async ({ tx, params, body: { from, to, filters } }) => {
      if (filters) refuseEmptyFilters(filters, 'filters')
      const period = { from: instantOf(from, 'from'), to: instantOf(to, 'to') }
      if (period.to <= period.from)
        throw refuse('validation_failed', { fields: [{ path: 'to', rule: 'minimum', limit: from }] })
      return { data: { queued: await redeliverPeriod(tx, params.webhook_id, { ...period, filters }) } }
    },
  }),
]
