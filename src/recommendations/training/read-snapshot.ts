import type { Database } from '../../base/db.ts'
import { listWares } from '../../catalog/index.ts'
import type { InteractionKind } from '../behaviour/interaction.ts'
import type { Snapshot } from '../engine/fit-graphs.ts'
import type { Step } from '../engine/past.ts'
import { placeKey } from '../engine/trends.ts'
import * as store from '../store/models.ts'
import { patiently } from './patiently.ts'

const lookBackDays = 180
const stretchDays = 3
const dayMs = 86_400_000
/** Somebody who does more than this is no buyer but a program. */
const mostPerBuyer = 5_000

/** What buyers did in the half year until an instant, stretch by stretch, so that no statement takes long. */
export async function readSnapshot(db: Database, until = db.clock.now()): Promise<Snapshot> {
  const read = db.read()
  const { products, productOf } = await patiently(() => listWares(read))
  const placeOf = new Map(products.map((it, place) => [it.productId, place]))
  const buyers = new Map<string, Step[]>()
  const places = new Map<string, string>()
  for (let ago = lookBackDays; ago > 0; ago -= stretchDays) {
    const from = new Date(until.getTime() - ago * dayMs)
    const to = new Date(Math.min(until.getTime(), from.getTime() + stretchDays * dayMs))
    for (const { buyer, offer, kind, at } of await patiently(() => store.deedsWithin(read, from, to))) {
      const item = placeOf.get(productOf.get(offer) ?? 0)
      if (item === undefined) continue
      const steps = buyers.get(buyer) ?? []
      if (steps.length === 0) buyers.set(buyer, steps)
      if (steps.length < mostPerBuyer)
        steps.push({ item, kind: kind as InteractionKind, day: at.getTime() / dayMs })
    }
    for (const { buyer, place } of await patiently(() => store.placesWithin(read, from, to)))
      places.set(buyer, placeKey(place))
  }
  const inOrder = [...buyers].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    until,
    wares: products.map((it) => ({ ...it, brandId: it.brandId ?? 0 })),
    buyers: inOrder.map(([, steps]) => steps),
    places: inOrder.map(([buyer]) => places.get(buyer) ?? null),
  }
}
