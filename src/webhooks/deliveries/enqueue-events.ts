// Moves events from the event log into the queues of matching endpoints. Each endpoint has its own position in the log, so
// no event is missed. Queues are bounded: what does not fit waits in the log.

import type { Database, Tx } from '../../base/database.ts'
import { eventsAfter, newestPosition, type RelayedEvent } from '../../base/outbox.ts'
import { maxQueueLength } from '../endpoints/endpoint.ts'
import { matchingAnyOf } from '../events/event-filters.ts'
import { enqueueDeliveries, type NewDelivery } from './store.ts'
import { type EndpointPosition, pendingPositions, lockPendingAt, savePositions } from '../endpoints/store.ts'

const batchSize = 500

/** Enqueues one batch for every endpoint; returns how many events were read. */
export async function enqueueEvents(db: Database): Promise<number> {
  const read = db.read()
  const [newest, positions] = await Promise.all([
    newestPosition(read),
    pendingPositions(read, maxQueueLength),
  ])
  let events = 0
  // Endpoints at the same position share one batch. The newest positions come first, so an endpoint that catches up does
  // not delay the others.
  for (const position of positions.filter((it) => it < newest))
    events += await db.transaction((tx) => enqueueAt(tx, position, newest))
  return events
}

async function enqueueAt(tx: Tx, position: number, newest: number): Promise<number> {
  const [endpoints, events] = await tx.pipeline(() =>
    Promise.all([lockPendingAt(tx, position, maxQueueLength), eventsAfter(tx, position, batchSize)]),
  )
  if (endpoints.length === 0) return 0
  const batches = endpoints.map((it) => batchFor(it, events))
  enqueueDeliveries(
    tx,
    batches.flatMap((it) => it.deliveries),
  )
  // Without events, everything after this position has been purged.
  savePositions(tx, events.length > 0 ? batches : batches.map((it) => ({ ...it, position: newest })))
  return events.length
}

/** The deliveries of one endpoint out of some events, and its position after them. */
export function batchFor(
  endpoint: EndpointPosition,
  events: readonly RelayedEvent[],
): EndpointPosition & { deliveries: NewDelivery[] } {
  const wanted = matchingAnyOf(endpoint.filters)
  const deliveries: NewDelivery[] = []
  let { position, waiting } = endpoint
  for (const event of events) {
    if (event.position <= position) continue
    if (waiting >= maxQueueLength) break
    position = event.position
    const { event: data } = event
    // A ping goes only to the endpoint that it tests, whatever its filters.
    const matches = data.type === 'WebhookPinged' ? data.webhookId === endpoint.id : wanted.has(data.type)
    if (!matches) continue
    deliveries.push({ endpointId: endpoint.id, event })
    waiting++
  }
  return { ...endpoint, position, waiting, deliveries }
}
