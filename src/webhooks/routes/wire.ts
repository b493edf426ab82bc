// Webhooks and deliveries on the wire.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { flag, instant, integer, list, named, nullable, oneOf, text } from '../../http/schema.ts'
import { type Endpoint, longestLine } from '../endpoint.ts'
import { emptyFilters, filterForm, mostFilters } from '../filters.ts'
import { mostTries } from '../retry.ts'
import { type Attempt, type Delivery, deliveryStatuses } from '../store/deliveries.ts'

const uuidForm = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
export const uuid = text({ max: 36, pattern: uuidForm, examples: ['0192f0c1-6a53-7a53-9d1a-1f4f0a1c2b3d'] })

export const filterList = Type.Array(
  text({
    max: 100,
    pattern: filterForm,
    description:
      'The name of an event, with `*` for any letters: `OfferCreated`, `Offer*`, `catalog.*`, `*`.',
    examples: ['Offer*'],
  }),
  { minItems: 1, maxItems: mostFilters },
)

export function refuseEmptyFilters(filters: readonly string[], path: string): void {
  const empty = emptyFilters(filters)
  if (empty.length > 0)
    throw refuse('validation_failed', {
      fields: empty.map((it) => ({ path: `${path}.${filters.indexOf(it)}`, rule: 'exists' })),
    })
}

export const webhookReply = named(
  'Webhook',
  Type.Object({
    id: uuid,
    url: Type.String({ examples: ['https://example.com/hooks'] }),
    description: Type.String({ examples: ['The warehouse'] }),
    filters: list(Type.String({ examples: ['Offer*'] }), mostFilters),
    enabled: flag,
    disabled_reason: nullable(
      Type.String({ description: '`by_hand`, `gone` or `failing`.', examples: ['gone'] }),
    ),
    waiting: integer(0, longestLine, { description: 'Deliveries that have not ended.' }),
    failing_since: nullable(instant),
    created_at: instant,
    updated_at: instant,
  }),
)

export const secretReply = Type.String({
  description: 'Signs what we send. It is shown this once.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
})

export const webhookView = (it: Endpoint) => ({
  id: it.id,
  url: it.url,
  description: it.description,
  filters: it.filters,
  enabled: it.state === 'enabled',
  disabled_reason: it.disabledReason,
  waiting: it.waiting,
  failing_since: it.failingSince?.toISOString() ?? null,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

const deliveryFields = {
  id: Type.String({ examples: ['4711'] }),
  webhook_id: uuid,
  event_id: uuid,
  type: Type.String({ examples: ['OfferPriceChanged'] }),
  subject: Type.String({ examples: ['offer/1000'] }),
  sequence: integer(1, Number.MAX_SAFE_INTEGER),
  status: oneOf(deliveryStatuses),
  attempts: integer(0, mostTries),
  next_attempt_at: nullable(instant),
  created_at: instant,
  ended_at: nullable(instant),
}
export const deliveryReply = named('WebhookDelivery', Type.Object(deliveryFields))

export const deliveryView = (it: Delivery) => ({
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
  number: integer(1, mostTries),
  at: instant,
  duration_ms: integer(0, Number.MAX_SAFE_INTEGER),
  request: Type.Object({
    url: Type.String({ examples: ['https://example.com/hooks'] }),
    headers: headersReply,
    body: nullable(Type.String({ description: 'Null when the event is older than what we keep.' })),
  }),
  reply: Type.Unsafe<{ status: number; headers: Record<string, string>; body: string } | null>({
    type: ['object', 'null'],
    description: 'What was answered, its body up to 3 kB; null when nothing was.',
    properties: { status: { type: 'integer' }, headers: { type: 'object' }, body: { type: 'string' } },
  }),
  error: nullable(Type.String({ examples: ['no reply within 15 s'] })),
})
export const deliveryWithAttempts = named(
  'WebhookDeliveryWithAttempts',
  Type.Object({ ...deliveryFields, log: list(attemptReply, mostTries) }),
)

export const attemptView = (it: Attempt, body: string | null) => ({
  number: it.number,
  at: it.at.toISOString(),
  duration_ms: it.milliseconds,
  request: { url: it.url, headers: it.headers, body },
  reply: it.status === null ? null : { status: it.status, headers: {}, body: '', ...it.reply },
  error: it.error,
})
