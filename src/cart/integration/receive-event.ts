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

/** Parses an external event; returns the first fault when it is malformed or dated in the future. */
export function readEvent(sent: unknown, now: Date): ExternalEvent | FieldFault {
  const [fault] = faultsIn(sent)
  if (fault) return fault
  const event = sent as SentEvent
  const at = instantIn(event.time)
  if (!at) return { path: 'time', rule: 'format', limit: timeExample }
  return futureFault(at, now) ?? externalEventFrom(event, at)
}

/** An event that is dated in the future would make all events until then older than the latest one. */
function futureFault(at: Date, now: Date): FieldFault | undefined {
  const latest = new Date(now.getTime() + maxAheadMs)
  return at > latest ? { path: 'time', rule: 'maximum', limit: latest.toISOString() } : undefined
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
  const fields: FieldFault[] = []
  const events = sent.flatMap((it, index) => {
    const path = (field: string) => (sent.length > 1 ? `${index}.${field}` : field)
    const at = instantIn(it.time)
    const ofTime = at ? futureFault(at, now) : { path: 'time', rule: 'format', limit: timeExample }
    const faults = [...(ofTime ? [ofTime] : []), ...faultsInData(it)]
    fields.push(...faults.map((fault) => ({ ...fault, path: path(fault.path) })))
    return at ? [externalEventFrom(it, at)] : []
  })
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  return events
}
