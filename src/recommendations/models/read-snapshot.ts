import { dayMs } from '../../base/clock.ts'
import type { Database, Reader } from '../../base/database.ts'
import { retryWhileUnavailable } from '../../base/retry.ts'
import { findLimits } from '../../cart/index.ts'
import { loadCatalogSnapshot } from '../../catalog/index.ts'
import { creditHistories } from '../../orders/index.ts'
import { isClientKey } from '../interactions/aliases.ts'
import { interactionWeight } from '../interactions/interaction.ts'
import type { Snapshot, TrainingCredit } from './fit-parts.ts'
import { HistoryCollector } from './histories.ts'
import { placeKey } from './place-trends.ts'
import { type DailyDemand, DailyDemandCollector, daysAfter, daysBefore, yearDays } from './seasonal-demand.ts'
import * as store from './store.ts'

const none: readonly string[] = []
const lookBackDays = 180
const stretchDays = 3
/** More interactions than this come from a program, not a buyer. */
const mostPerBuyer = 5_000

/** Fits on held-out weeks need demand a year before them. */
const heldOutDays = 14

/** Reads the interactions of half a year in short ranges and small pages, so that neither time nor memory of one is large. */
export async function readSnapshot(db: Database, until = db.clock.now()): Promise<Snapshot> {
  const read = db.read()
  const { products, productOf } = await withRetries(() => loadCatalogSnapshot(read))
  const placeOf = new Map(products.map((it, place) => [it.productId, place]))
  const itemOf = (offer: string) => placeOf.get(productOf.get(offer) ?? 0)
  const buyers = new HistoryCollector()
  const places = new Map<string, string>()
  const platforms = new Map<string, string[]>()
  for (let ago = lookBackDays; ago > 0; ago -= stretchDays) {
    const from = new Date(until.getTime() - ago * dayMs)
    const to = new Date(Math.min(until.getTime(), from.getTime() + stretchDays * dayMs))
    for await (const page of store.interactionsBetween(read, { from, to, withRetries }))
      for (const { known, offer, kind, atMs } of page) {
        const item = itemOf(offer)
        if (item !== undefined) buyers.add(known, { item, kind, day: Math.floor(atMs) / dayMs }, mostPerBuyer)
      }
    for (const { buyer, place, platform } of await withRetries(() => store.segmentsBetween(read, from, to))) {
      if (place !== null) places.set(buyer, placeKey(place))
      if (platform !== null) platforms.set(buyer, platform)
    }
  }
  const { keys, histories } = buyers.result()
  const credit = await readCredit(read, keys, new Date(until.getTime() - lookBackDays * dayMs))
  const lastYear = await readLastYear(read, until, (offer) => products[itemOf(offer) ?? -1])
  return {
    until,
    products: products.map((it) => ({ ...it, brandId: it.brandId ?? 0 })),
    buyers: histories,
    places: keys.map((buyer) => places.get(buyer) ?? null),
    platforms: keys.map((buyer) => platforms.get(buyer) ?? none),
    ...(lastYear && { lastYear }),
    ...(credit && { credit }),
  }
}

/** Demand around the same dates a year ago, day by day; undefined without interactions then. */
async function readLastYear(
  read: Reader,
  until: Date,
  productOf: (offer: string) => { categoryId: number } | undefined,
): Promise<DailyDemand | undefined> {
  const days = heldOutDays + daysBefore + daysAfter
  const first = until.getTime() - (yearDays + daysBefore + heldOutDays) * dayMs
  const demand = new DailyDemandCollector(days)
  for (let day = 0; day < days; day++) {
    const [from, to] = [new Date(first + day * dayMs), new Date(first + (day + 1) * dayMs)]
    for await (const page of store.buyersByOffer(read, { from, to, withRetries }))
      for (const { offer, kind, buyers } of page) {
        const product = productOf(offer)
        if (product) demand.add(product, day, buyers * interactionWeight[kind])
      }
  }
  return demand.result(first / dayMs)
}

/** Undefined when none of the buyers has bought on credit. */
async function readCredit(
  read: Reader,
  keys: readonly string[],
  since: Date,
): Promise<TrainingCredit | undefined> {
  const byClient = await creditHistories(read, { since, withRetries })
  if (byClient.size === 0) return undefined
  const histories = new Map(
    keys.flatMap((key, buyer) => {
      const history = isClientKey(key) ? byClient.get(Number(key)) : undefined
      return history ? [[buyer, history] as const] : []
    }),
  )
  const limits = await withRetries(() => findLimits(read))
  return histories.size > 0 ? { limits, histories } : undefined
}

/** Retries for some minutes while the database is unavailable, because a training is expensive to lose. */
export const withRetries = <T>(work: () => Promise<T>): Promise<T> =>
  retryWhileUnavailable(work, { tries: 8 })
