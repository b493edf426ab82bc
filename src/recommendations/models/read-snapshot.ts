import { dayMs } from '../../base/clock.ts'
import type { Database } from '../../base/database.ts'
import { retryWhileUnavailable } from '../../base/retry.ts'
import { loadCatalogSnapshot } from '../../catalog/index.ts'
import type { Snapshot } from './fit-parts.ts'
import { HistoryCollector } from './histories.ts'
import { placeKey } from './place-trends.ts'
import * as store from './store.ts'

const none: readonly string[] = []
const lookBackDays = 180
const stretchDays = 3
/** More interactions than this come from a program, not a buyer. */
const mostPerBuyer = 5_000

/** Reads the interactions of half a year in short ranges and small pages, so that neither time nor memory of one is large. */
export async function readSnapshot(db: Database, until = db.clock.now()): Promise<Snapshot> {
  const read = db.read()
  const { products, productOf } = await withRetries(() => loadCatalogSnapshot(read))
  const placeOf = new Map(products.map((it, place) => [it.productId, place]))
  const buyers = new HistoryCollector()
  const places = new Map<string, string>()
  const platforms = new Map<string, string[]>()
  for (let ago = lookBackDays; ago > 0; ago -= stretchDays) {
    const from = new Date(until.getTime() - ago * dayMs)
    const to = new Date(Math.min(until.getTime(), from.getTime() + stretchDays * dayMs))
    for await (const page of store.interactionsBetween(read, { from, to, withRetries }))
      for (const { known, offer, kind, atMs } of page) {
        const item = placeOf.get(productOf.get(offer) ?? 0)
        if (item !== undefined) buyers.add(known, { item, kind, day: Math.floor(atMs) / dayMs }, mostPerBuyer)
      }
    for (const { buyer, place, platform } of await withRetries(() => store.segmentsBetween(read, from, to))) {
      if (place !== null) places.set(buyer, placeKey(place))
      if (platform !== null) platforms.set(buyer, platform)
    }
  }
  const { keys, histories } = buyers.result()
  return {
    until,
    products: products.map((it) => ({ ...it, brandId: it.brandId ?? 0 })),
    buyers: histories,
    places: keys.map((buyer) => places.get(buyer) ?? null),
    platforms: keys.map((buyer) => platforms.get(buyer) ?? none),
  }
}

/** Retries for some minutes while the database is unavailable, because a training is expensive to lose. */
export const withRetries = <T>(work: () => Promise<T>): Promise<T> =>
  retryWhileUnavailable(work, { tries: 8 })
