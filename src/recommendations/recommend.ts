// One way from a question to a list, for every channel, for measuring and for explaining.

import type { Environment, Reader } from '../base/db.ts'
import type { Catalog, OfferSheet } from '../catalog/index.ts'
import { type About, aboutOf } from './about.ts'
import type { Ask, Source } from './ask.ts'
import { worth } from './behaviour/interaction.ts'
import { fillList } from './fill-list.ts'
import type { Serving } from './model-keeper.ts'
import { orderProducts } from './order-products.ts'
import type { Trace } from './trace.ts'

/** A list of offers, where it truly came from, and what made it. */
export interface Answered {
  offers: OfferSheet[]
  source: Source
  modelId: number | null
}

export interface Desk {
  goods: Catalog
  environment: Environment
  serving: Serving | undefined
  trace?: Trace
}

/** What nobody knows yet is tried at these places of a list. */
const trialPlaces = [9, 19]

/** The offers to show: none that the page is about, none twice, none that cannot be bought here. */
export async function recommend(read: Reader, asked: Ask, desk: Desk): Promise<Answered> {
  const { goods, environment, serving, trace } = desk
  const { region, categoryId } = asked
  const [about, isForSale] = await Promise.all([
    aboutOf(read, asked),
    goods.forSale(environment, { region, categoryId }),
  ])
  const { productIds, source } = orderProducts(serving, asked, { about, now: read.now, isForSale, trace })
  const leaning = leaningOf(serving, about)
  const mixed = await withTrials(productIds, { desk, asked, leaning })
  const offers = await fillList(read, asked, mixed, {
    goods,
    environment,
    banned: new Set([...about.context, ...about.inCart]),
    leaning,
    trace,
  })
  return { offers, source, modelId: serving?.modelId ?? null }
}

/** The category that the page, else the buyer's latest deeds, are about; null when nothing is known. */
function leaningOf(serving: Serving | undefined, { context, deeds }: About): number | null {
  if (!serving) return null
  const { placeOf, model } = serving
  const counts = new Map<number, number>()
  const add = (productId: number | null, weight: number) => {
    const place = productId === null ? undefined : placeOf.get(productId)
    if (place === undefined) return
    const category = model.items.categories[place]!
    counts.set(category, (counts.get(category) ?? 0) + weight)
  }
  for (const productId of context) add(productId, 1)
  if (counts.size === 0) for (const { productId, kind } of deeds.slice(0, 20)) add(productId, worth[kind])
  const [best] = [...counts].sort(([a, some], [b, others]) => others - some || a - b)
  return best?.[0] ?? null
}

/** New goods that no model has met get a few places among those that it would show. */
async function withTrials(
  productIds: readonly number[],
  { desk, asked, leaning }: { desk: Desk; asked: Ask; leaning: number | null },
): Promise<readonly number[]> {
  const { serving, goods, environment } = desk
  const category = asked.categoryId ?? leaning
  if (!serving || category === null) return productIds
  const newest = await goods.newestProducts(environment, {
    region: asked.region,
    categoryId: category,
    limit: trialPlaces.length,
  })
  const unmet = newest.filter((it) => !serving.placeOf.has(it))
  if (unmet.length === 0) return productIds
  const mixed = [...productIds]
  unmet.forEach((id, at) => mixed.splice(Math.min(mixed.length, trialPlaces[at]!), 0, id))
  return mixed
}
