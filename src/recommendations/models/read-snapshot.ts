import { dayMs } from '../../base/clock.ts'
import type { Database } from '../../base/database.ts'
import { retryWhileUnavailable } from '../../base/retry.ts'
import { loadCatalogSnapshot } from '../../catalog/index.ts'
import type { InteractionKind } from '../interactions/interaction.ts'
import type { Snapshot } from './fit-parts.ts'
import type { ItemInteraction } from '../serving/buyer-profile.ts'
import { placeKey } from './place-trends.ts'
import * as store from './store.ts'

const lookBackDays = 180
const stretchDays = 3
/** More interactions than this come from a program, not a buyer. */
const mostPerBuyer = 5_000

/** Reads the interactions of half a year in short ranges, so that no statement takes long. */
export async function readSnapshot(db: Database, until = db.clock.now()): Promise<Snapshot> {
  const read = db.read()
  const { products, productOf } = await withRetries(() => loadCatalogSnapshot(read))
  const placeOf = new Map(products.map((it, place) => [it.productId, place]))
  const buyers = new Map<string, ItemInteraction[]>()
  const places = new Map<string, string>()
  const platforms = new Map<string, string[]>()
  for (let ago = lookBackDays; ago > 0; ago -= stretchDays) {
    const from = new Date(until.getTime() - ago * dayMs)
    const to = new Date(Math.min(until.getTime(), from.getTime() + stretchDays * dayMs))
    for (const { buyer, offer, kind, at } of await withRetries(() =>
      store.interactionsBetween(read, from, to),
    )) {
      const item = placeOf.get(productOf.get(offer) ?? 0)
      if (item === undefined) continue
      const steps = buyers.get(buyer) ?? []
      if (steps.length === 0) buyers.set(buyer, steps)
      if (steps.length < mostPerBuyer)
        steps.push({ item, kind: kind as InteractionKind, day: at.getTime() / dayMs })
    }
    for (const { buyer, place, platform } of await withRetries(() => store.segmentsBetween(read, from, to))) {
      if (place !== null) places.set(buyer, placeKey(place))
      if (platform !== null) platforms.set(buyer, platform)
    }
  }
  const inOrder = [...buyers].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    until,
    products: products.map((it) => ({ ...it, brandId: it.brandId ?? 0 })),
    buyers: inOrder.map(([, steps]) => steps),
    places: inOrder.map(([buyer]) => places.get(buyer) ?? null),
    platforms: inOrder.map(([buyer]) => platforms.get(buyer) ?? []),
  }
}

/** Retries for some minutes while the database is unavailable, because a training is expensive to lose. */
export const withRetries = <T>(work: () => Promise<T>): Promise<T> =>
  retryWhileUnavailable(work, { tries: 8 })
