import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { isNewEvent } from './store/incoming.ts'

/** An event as an outside producer sends it (CloudEvents 1.0). What its data should be is looked at later. */
export interface OutsideEvent {
  id: string
  source: string
  type: string
  time: string
  sequence: number | null
  data: unknown
}

/** Takes an event in, once. It is acted on after this has committed, and again if that fails. */
export async function receiveEvent(tx: Tx, it: OutsideEvent): Promise<'accepted' | 'repeated'> {
  if (!(await isNewEvent(tx, it.source, it.id))) return 'repeated'
  const { id: eventId, source, type: eventType, time, sequence, data } = it
  await publish(tx, { type: 'IntegrationEventReceived', eventId, source, eventType, time, sequence, data })
  return 'accepted'
}
