// Puts events into the lines of the endpoints that want them. Each endpoint has its own position among all events, so
// none is missed, and its line is bounded: what does not fit waits in the log.

import type { Database, Tx } from '../base/db.ts'
import { eventsAfter, newestPosition, type Placed } from '../base/outbox.ts'
import { longestLine } from './endpoint.ts'
import { typesOfAll } from './filters.ts'
import { insertDeliveries, type NewDelivery } from './store/deliveries.ts'
import { type Fed, hasHungry, lockHungry, saveFed } from './store/endpoints.ts'

const batchSize = 500

/** Feeds every endpoint one batch; returns how many events were looked at. */
export async function feed(db: Database): Promise<number> {
  const read = db.read()
  const newest = await newestPosition(read)
  if (!(await hasHungry(read, newest, longestLine))) return 0
  return db.transaction(async (tx) => feedHungry(tx, await lockHungry(tx, newest, longestLine), newest))
}

async function feedHungry(tx: Tx, hungry: Fed[], newest: number): Promise<number> {
  if (hungry.length === 0) return 0
  const behind = Math.min(...hungry.map((it) => it.position))
  const batch = await eventsAfter(tx, behind, batchSize)
  // All that was told since has been forgotten again.
  if (batch.length === 0)
    await saveFed(
      tx,
      hungry.map((it) => ({ ...it, position: newest })),
    )
  if (batch.length === 0) return 0
  const meals = hungry.map((it) => mealOf(it, batch))
  await insertDeliveries(
    tx,
    meals.flatMap((it) => it.deliveries),
  )
  await saveFed(tx, meals)
  return batch.length
}

/** What of a batch goes to an endpoint, and where that leaves it. */
export function mealOf(endpoint: Fed, batch: readonly Placed[]): Fed & { deliveries: NewDelivery[] } {
  const wanted = typesOfAll(endpoint.filters)
  const deliveries: NewDelivery[] = []
  let { position, waiting } = endpoint
  for (const event of batch) {
    if (event.position <= position) continue
    if (waiting === longestLine) break
    position = event.position
    const { event: fact } = event
    // A ping is for the endpoint that it tries, whatever its filters, and for nobody else.
    const isFor = fact.type === 'WebhookPinged' ? fact.webhookId === endpoint.id : wanted.has(fact.type)
    if (!isFor) continue
    deliveries.push({ endpointId: endpoint.id, event })
    waiting++
  }
  return { ...endpoint, position, waiting, deliveries }
}
