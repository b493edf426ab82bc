import type { Tx } from '../../base/database.ts'
import { eventsById, eventsInPeriod, type RelayedEvent } from '../../base/outbox.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { type Endpoint, maxQueueLength } from '../endpoints/endpoint.ts'
import { matchingAnyOf } from '../events/event-filters.ts'
import { type Delivery, findDelivery, makeDueNow, insertDeliveries } from './store.ts'
import { lockEndpoint, saveHealth } from '../endpoints/store.ts'

/** Queues one event again. A delivery that waits for its next attempt becomes due now. */
export async function redeliverOne(tx: Tx, endpointId: string, deliveryId: number): Promise<Delivery> {
  const endpoint = await lockEnabledEndpoint(tx, endpointId)
  const delivery = await findDelivery(tx, endpointId, deliveryId)
  const [event] = delivery ? await eventsById(tx, [delivery.eventId]) : []
  if (!delivery || !event) throw refuse('not_found')
  const [id = delivery.id] = await queueAgain(tx, endpoint, [event])
  return (await findDelivery(tx, endpointId, id))!
}

/** Queues the events of a period that match the endpoint's filters, at most as many as its queue can hold. */
export async function redeliverPeriod(
  tx: Tx,
  endpointId: string,
  { from, to, filters }: { from: Date; to: Date; filters: string[] | undefined },
): Promise<number> {
  const endpoint = await lockEnabledEndpoint(tx, endpointId)
  const wanted = matchingAnyOf(endpoint.filters)
  const types = [...matchingAnyOf(filters ?? ['*'])].filter((it) => wanted.has(it) && it !== 'WebhookPinged')
  const found = await eventsInPeriod(tx, { types, subject: undefined, from, to }, maxQueueLength + 1)
  if (found.length > maxQueueLength) throw conflict('period_too_long', { limit: maxQueueLength })
  // Events after the endpoint's position are still to be enqueued anyway.
  const enqueued = found.filter((it) => it.position <= endpoint.position)
  await queueAgain(tx, endpoint, enqueued)
  return enqueued.length
}

async function lockEnabledEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found', { resource: 'webhook', id })
  if (endpoint.state === 'disabled')
    throw refuse('invalid_transition', { state: 'disabled', requested: 'redeliver', allowed: ['enable'] })
  return endpoint
}

async function queueAgain(tx: Tx, endpoint: Endpoint, all: readonly RelayedEvent[]): Promise<number[]> {
  const queued = await makeDueNow(
    tx,
    endpoint.id,
    all.map((it) => it.id),
  )
  const fresh = all.filter((it) => !queued.has(it.id))
  const room = maxQueueLength - endpoint.waiting
  if (fresh.length > room) throw conflict('queue_full', { limit: maxQueueLength, available: room })
  const ids = await insertDeliveries(
    tx,
    fresh.map((event) => ({ endpointId: endpoint.id, event })),
  )
  saveHealth(tx, { ...endpoint, waiting: endpoint.waiting + fresh.length })
  return ids
}
