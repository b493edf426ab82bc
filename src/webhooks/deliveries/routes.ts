// Deliveries of a webhook: the log and redelivery.

import { Type } from 'typebox'
import { eventsById } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post, type Route } from '../../http/route.ts'
import { id, instant, integer, list, named, nullable, oneOf, strict, text } from '../../http/schema.ts'
import { cloudEventText } from '../events/cloud-event.ts'
import { maxQueueLength } from '../endpoints/endpoint.ts'
import { redeliverOne, redeliverPeriod } from './redeliver.ts'
import { maxAttempts } from './record-attempts.ts'
import {
  type Attempt,
  attemptsOf,
  type Delivery,
  deliverySorts,
  deliveryStatuses,
  findDelivery,
  listDeliveries,
} from './store.ts'
import { filterList, refuseEmptyFilters } from '../events/event-filters.ts'
import { foundEndpoint, uuid } from '../endpoints/routes.ts'

const deliveryFields = {
  id: Type.String({ examples: ['4711'] }),
  webhook_id: uuid,
  event_id: uuid,
  type: Type.String({ examples: ['OfferPriceChanged'] }),
  subject: Type.String({ examples: ['offer/1000'] }),
  sequence: integer(1, Number.MAX_SAFE_INTEGER),
  status: oneOf(deliveryStatuses),
  attempts: integer(0, maxAttempts),
  next_attempt_at: nullable(instant),
  created_at: instant,
  ended_at: nullable(instant),
}
const deliveryReply = named('WebhookDelivery', Type.Object(deliveryFields))

const deliveryView = (it: Delivery) => ({
  id: String(it.id),
  webhook_id: it.endpointId,
  event_id: it.eventId,
  type: it.type,
  subject: it.subject,
  sequence: it.sequence,
  status: it.status,
  attempts: it.attempts,
  next_attempt_at: it.nextAt?.toISOString() ?? null,
  created_at: it.createdAt.toISOString(),
  ended_at: it.endedAt?.toISOString() ?? null,
})

const headersReply = Type.Record(Type.String(), Type.String())

const attemptReply = Type.Object({
  number: integer(1, maxAttempts),
  at: instant,
  duration_ms: integer(0, Number.MAX_SAFE_INTEGER),
  request: Type.Object({
    url: Type.String({ examples: ['https://example.com/hooks'] }),
    headers: headersReply,
    body: nullable(Type.String({ description: 'Null after the event has been purged.' })),
  }),
  reply: Type.Unsafe<{ status: number; headers: Record<string, string>; body: string } | null>({
    type: ['object', 'null'],
    description: 'The reply with up to 3 kB of its body; null when there was none.',
    properties: { status: { type: 'integer' }, headers: { type: 'object' }, body: { type: 'string' } },
  }),
  error: nullable(Type.String({ examples: ['no reply within 15 s'] })),
})
const deliveryWithAttempts = named(
  'WebhookDeliveryWithAttempts',
  Type.Object({ ...deliveryFields, log: list(attemptReply, maxAttempts) }),
)

const attemptView = (it: Attempt, body: string | null) => ({
  number: it.number,
  at: it.at.toISOString(),
  duration_ms: it.milliseconds,
  request: { url: it.url, headers: it.headers, body },
  reply: it.status === null ? null : { status: it.status, headers: {}, body: '', ...it.reply },
  error: it.error,
})

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
    summary: 'Get a delivery with all its attempts',
    description: 'Every request as it was sent, and up to 3 kB of every reply.',
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
    summary: 'Redeliver an event',
    description: 'A delivery that waits for its next attempt is attempted now.',
    scope: 'admin:write',
    params: { ...params, delivery_id: id },
    reply: Type.Object({ delivery: deliveryReply }),
    refusals: ['conflict', 'invalid_transition'],
    run: async ({ tx, params }) => ({
      data: { delivery: deliveryView(await redeliverOne(tx, params.webhook_id, params.delivery_id)) },
    }),
  }),
  post('/v1/webhooks/{webhook_id}/redeliver', {
    summary: 'Redeliver the events of a period',
    description: `Queues every event from \`from\` until before \`to\` that matches the webhook's filters, delivered or not. Use it after an outage, or for a new webhook. The queue holds at most ${maxQueueLength} deliveries; a longer period is refused with \`conflict\`.`,
    scope: 'admin:write',
    params,
    body: strict({ from: instantText, to: instantText, filters: Type.Optional(filterList) }),
    reply: Type.Object({ queued: integer(0, maxQueueLength) }),
    refusals: ['conflict', 'invalid_transition'],
    run: async ({ tx, params, body: { from, to, filters } }) => {
      if (filters) refuseEmptyFilters(filters, (at) => `filters.${at}`)
      const period = { from: instantOf(from, 'from'), to: instantOf(to, 'to') }
      if (period.to <= period.from)
        throw refuse('validation_failed', { fields: [{ path: 'to', rule: 'minimum', limit: from }] })
      return { data: { queued: await redeliverPeriod(tx, params.webhook_id, { ...period, filters }) } }
    },
  }),
]
