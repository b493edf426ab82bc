// Events of external producers (CloudEvents 1.0), as one event or as a batch.

import { type Static, Type } from 'typebox'
import { maxAheadMs } from '../../base/clock.ts'
import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { validatorCompiler, type FieldFault } from '../../base/validation.ts'
import { integer, oneOf, text } from '../../http/schema.ts'
import { eventTime, instantIn, timeExample } from './event-time.ts'
import { faultsInData } from './handle-event.ts'
import { recordIfNew } from './store.ts'

/** An event of an external producer. */
export interface ExternalEvent {
  id: string
  source: string
  type: string
  time: string
  sequence: number | null
  data: unknown
}

/** Stores an event once per source and id. It is handled after the commit and retried on failure. */
export async function receiveEvent(tx: Tx, it: ExternalEvent): Promise<'accepted' | 'repeated'> {
  if (!(await recordIfNew(tx, it.source, it.id))) return 'repeated'
  const { id: eventId, source, type: eventType, time, sequence, data } = it
  publish(tx, { type: 'IntegrationEventReceived', eventId, source, eventType, time, sequence, data })
  return 'accepted'
}

const attribute = (example: string) => text({ max: 255, examples: [example] })

/** The attributes of CloudEvents 1.0 that are read. Producers may add other attributes. */
export const eventAttributes = {
  specversion: oneOf(['1.0']),
  id: attribute('9f2c1b'),
  source: attribute('/warehouse'),
  type: attribute('OfferQuantityChanged'),
  time: {
    ...eventTime,
    description: 'When the value changed (RFC 3339); at most five minutes ahead.',
  },
  subject: Type.Optional(attribute('offer/1000')),
  sequence: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description: 'Grows per subject.' })),
  datacontenttype: Type.Optional(attribute('application/json')),
  dataschema: Type.Optional(text({ max: 1_000 })),
  data: Type.Unknown({ examples: [{ OfferId: 1000, NewQuantity: 5 }] }),
}
const shape = Type.Object(eventAttributes)
export type SentEvent = Static<typeof shape>
const faultsIn = validatorCompiler()(shape)

/** Parses an external event; returns the first fault when it is malformed. */
export function readEvent(sent: unknown): ExternalEvent | FieldFault {
  const [fault] = faultsIn(sent)
  if (fault) return fault
  const event = sent as SentEvent
  const at = instantIn(event.time)
  return at ? externalEventFrom(event, at) : { path: 'time', rule: 'format', limit: timeExample }
}

const externalEventFrom = ({ id, source, type, data, sequence }: SentEvent, at: Date): ExternalEvent => ({
  id,
  source,
  type,
  time: at.toISOString(),
  sequence: sequence ?? null,
  data,
})

/** Parses sent events; refuses unknown types, malformed data and times in the future, with all faults at once. */
export function acceptableEvents(sent: readonly SentEvent[], now: Date): ExternalEvent[] {
  const latest = new Date(now.getTime() + maxAheadMs)
  const fields: FieldFault[] = []
  const events = sent.flatMap((it, index) => {
    const path = (field: string) => (sent.length > 1 ? `${index}.${field}` : field)
    const at = instantIn(it.time)
    if (!at) fields.push({ path: path('time'), rule: 'format', limit: timeExample })
    else if (at > latest) fields.push({ path: path('time'), rule: 'maximum', limit: latest.toISOString() })
    fields.push(...faultsInData(it).map((fault) => ({ ...fault, path: path(fault.path) })))
    return at ? [externalEventFrom(it, at)] : []
  })
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  return events
}
