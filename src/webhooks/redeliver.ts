import type { Tx } from '../base/db.ts'
import { eventsById, eventsOfPeriod, type Placed } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { type Endpoint, longestLine } from './endpoint.ts'
import { typesOfAll } from './filters.ts'
import { type Delivery, findDelivery, hasten, insertDeliveries } from './store/deliveries.ts'
import { lockEndpoint, saveHealth } from './store/endpoints.ts'

/** Sends one event again. One that still waits for its next try is tried now. */
export async function redeliverOne(tx: Tx, endpointId: string, deliveryId: number): Promise<Delivery> {
  const endpoint = await readyEndpoint(tx, endpointId)
  const delivery = await findDelivery(tx, endpointId, deliveryId)
  const [event] = delivery ? await eventsById(tx, [delivery.eventId]) : []
  if (!delivery || !event) throw refuse('not_found')
  const [id = delivery.id] = await sendAgain(tx, endpoint, [event])
  return (await findDelivery(tx, endpointId, id))!
}

/** Sends again what an endpoint was or would have been told in a period, at most as much as its line can hold. */
export async function redeliverPeriod(
  tx: Tx,
  endpointId: string,
  { from, to, filters }: { from: Date; to: Date; filters: string[] | undefined },
): Promise<number> {
  const endpoint = await readyEndpoint(tx, endpointId)
  const wanted = typesOfAll(endpoint.filters)
  const types = [...typesOfAll(filters ?? ['*'])].filter((it) => wanted.has(it) && it !== 'WebhookPinged')
  const found = await eventsOfPeriod(tx, { types, subject: undefined, from, to }, longestLine + 1)
  if (found.length > longestLine) throw refuse('conflict', { reason: 'period_too_long', limit: longestLine })
  // What it has not been told yet comes by itself.
  const told = found.filter((it) => it.position <= endpoint.position)
  await sendAgain(tx, endpoint, told)
  return told.length
}

async function readyEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  if (endpoint.state === 'disabled')
    throw refuse('invalid_transition', { state: 'disabled', wanted: 'redeliver' })
  return endpoint
}

async function sendAgain(tx: Tx, endpoint: Endpoint, all: readonly Placed[]): Promise<number[]> {
  const waiting = await hasten(
    tx,
    endpoint.id,
    all.map((it) => it.id),
  )
  const fresh = all.filter((it) => !waiting.has(it.id))
  const room = longestLine - endpoint.waiting
  if (fresh.length > room)
    throw refuse('conflict', { reason: 'line_full', limit: longestLine, available: room })
  const ids = await insertDeliveries(
    tx,
    fresh.map((event) => ({ endpointId: endpoint.id, event })),
  )
  await saveHealth(tx, { ...endpoint, waiting: endpoint.waiting + fresh.length })
  return ids
}
