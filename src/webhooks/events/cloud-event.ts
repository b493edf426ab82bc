// An event as CloudEvents 1.0 JSON. Webhooks, the stream, the list and the message bus send the same fields; only the
// stream and the list, which need `admin:read`, show the session ids of guests.

import type { Environment } from '../../base/database.ts'
import type { StoredEvent } from '../../base/outbox.ts'
import { type Event, events } from '../../events.ts'
import { guestPublicId } from '../../base/buyer.ts'

export interface CloudEvent {
  specversion: '1.0'
  id: string
  source: string
  type: string
  subject: string
  time: string
  sequence: number
  datacontenttype: 'application/json'
  data: Record<string, unknown>
}

/** Who gets an event: a caller with `admin:read`, or any other subscriber. */
export type Audience = 'admin' | 'others'

export function cloudEvent(
  stored: StoredEvent,
  environment: Environment,
  audience: Audience = 'others',
): CloudEvent {
  const { type, ...fields } = audience === 'admin' ? stored.event : withoutSessions(stored.event)
  return {
    specversion: '1.0',
    id: stored.id,
    source: `/${environment}/${moduleOf(type)}`,
    type,
    subject: stored.subject,
    time: stored.occurredAt.toISOString(),
    sequence: stored.sequence,
    datacontenttype: 'application/json',
    data: dataOf(type, fields),
  }
}

/** The session id of a guest gives access to the cart and the orders of the guest. */
const withoutSessions = (event: Event): Event =>
  event.type === 'CartCreated' && typeof event.buyerId === 'string'
    ? { ...event, buyerId: guestPublicId(event.buyerId) }
    : event

export const cloudEventText = (
  stored: StoredEvent,
  environment: Environment,
  audience: Audience = 'others',
): string => JSON.stringify(cloudEvent(stored, environment, audience))

/** The outbox may still hold events of a type that no longer exists in this version. */
export const moduleOf = (type: string): string =>
  Object.hasOwn(events, type) ? events[type as keyof typeof events].module : 'unknown'

export const wireName = (field: string): string => field.charAt(0).toUpperCase() + field.slice(1)

/**
 * The fields in the documented order; those that are no longer documented come last. Only the names of top-level fields
 * change, their values are sent as they are.
 */
function dataOf(type: string, fields: Record<string, unknown>): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const [name, sent] of documentedFields.get(type) ?? [])
    if (Object.hasOwn(fields, name)) data[sent] = fields[name]
  for (const name of Object.keys(fields)) data[wireName(name)] = fields[name]
  return data
}

const documentedFields: ReadonlyMap<string, [name: string, sent: string][]> = new Map(
  Object.entries(events).map(([type, { fields }]) => [
    type,
    Object.keys(fields).map((name) => [name, wireName(name)]),
  ]),
)
