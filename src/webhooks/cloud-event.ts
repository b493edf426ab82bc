// How a fact looks to the outside world: CloudEvents 1.0 in JSON. Webhooks, the stream, the list and the message bus
// all send these very bytes.

import type { Environment } from '../base/db.ts'
import type { Told } from '../base/outbox.ts'
import { events } from '../events.ts'

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

export function cloudEvent(told: Told, environment: Environment): CloudEvent {
  const { type, ...fields } = told.event
  return {
    specversion: '1.0',
    id: told.id,
    source: `/${environment}/${moduleOf(type)}`,
    type,
    subject: told.subject,
    time: told.occurredAt.toISOString(),
    sequence: told.sequence,
    datacontenttype: 'application/json',
    data: capitalised(fields),
  }
}

export const cloudEventText = (told: Told, environment: Environment): string =>
  JSON.stringify(cloudEvent(told, environment))

/** A fact of a kind that this version no longer knows may still stand in the outbox. */
export const moduleOf = (type: string): string =>
  Object.hasOwn(events, type) ? events[type as keyof typeof events].module : 'unknown'

export const wireName = (field: string): string => field.charAt(0).toUpperCase() + field.slice(1)

/** Only the names of the fact's own fields change; what stands in them is told as it is. */
const capitalised = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [wireName(name), value]))
