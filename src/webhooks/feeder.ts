// Puts events into the lines of the endpoints that want them. Each endpoint has its own position among all events, so
// none is missed, and its line is bounded: what does not fit waits in the log.

import type { Database, Tx } from '../base/db.ts'
import { eventsAfter, newestPosition, type Placed } from '../base/outbox.ts'
import { longestLine } from './endpoint.ts'
import { typesOfAll } from './filters.ts'
import { lineUp, type NewDelivery } from './store/deliveries.ts'
import { type Fed, hungryPositions, lockHungryAt, saveFed } from './store/endpoints.ts'

const batchSize = 500

/** Feeds every endpoint one batch; returns how many events were looked at. */
export async function feed(db: Database): Promise<number> {
  const read = db.read()
  const [newest, positions] = await Promise.all([newestPosition(read), hungryPositions(read, longestLine)])
  let looked = 0
  // Those who stand at the same place are fed together, those at the front first: one who has a long way to go keeps
  // nobody waiting.
  for (const position of positions.filter((it) => it < newest))
    looked += await db.transaction((tx) => feedThoseAt(tx, position, newest))
  return looked
}

async function feedThoseAt(tx: Tx, position: number, newest: number): Promise<number> {
  const [hungry, batch] = await tx.together(() =>
    Promise.all([lockHungryAt(tx, position, longestLine), eventsAfter(tx, position, batchSize)]),
  )
  if (hungry.length === 0) return 0
  const meals = hungry.map((it) => mealOf(it, batch))
  await lineUp(
    tx,
    meals.flatMap((it) => it.deliveries),
  )
  // Where there is no batch, all that was told since has been forgotten again.
  await saveFed(tx, batch.length > 0 ? meals : meals.map((it) => ({ ...it, position: newest })))
  return batch.length
}

/** What of a batch goes to an endpoint, and where that leaves it. */
export function mealOf(endpoint: Fed, batch: readonly Placed[]): Fed & { deliveries: NewDelivery[] } {
  const wanted = typesOfAll(endpoint.filters)
  const deliveries: NewDelivery[] = []
  let { position, waiting } = endpoint
  for (const event of batch) {
    if (event.position <= position) continue
    if (waiting >= longestLine) break
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
