// The demo shop as training data, without a server: products, their names, and the generated history.

import { dayMs } from '../src/base/clock.ts'
import { categories } from '../src/demo/categories.ts'
import { clickShare, demoInteractions, type Market, marketOf } from '../src/demo/interactions.ts'
import { offers } from '../src/demo/offers.ts'
import { loanConditions } from '../src/demo/partners.ts'
import { type Preferences, preferencesOf } from '../src/demo/preferences.ts'
import { demoProducts, type Product } from '../src/demo/product.ts'
import type { InteractionRecord } from '../src/demo/record.ts'
import { SeededRandom } from '../src/demo/seeded-random.ts'
import { interactionWeight } from '../src/recommendations/interactions/interaction.ts'
import type { Snapshot } from '../src/recommendations/models/fit-parts.ts'
import type { Steps } from '../src/recommendations/models/histories.ts'
import {
  type DailyDemand,
  DailyDemandCollector,
  daysAfter,
  daysBefore,
  yearDays,
} from '../src/recommendations/models/seasonal-demand.ts'
import type { ItemInteraction } from '../src/recommendations/serving/buyer-profile.ts'

const seed = 'bozor'
export const until = new Date('2026-11-01T00:00:00Z')
export const today = until.getTime() / dayMs

export interface Shop {
  snapshot: Snapshot<readonly Steps[]>
  products: ReadonlyMap<number, Product>
  slugOf: (productId: number) => string
  /** The histories of all buyers that end at another date. */
  historiesAt: (end: Date) => ItemInteraction[][]
  /** What a training at a date would know of the year before it, in the second year of the shop; other buyers lived then. */
  lastYear: (date: Date) => DailyDemand
  /** The chance that a simulated buyer who sees a product clicks it. */
  clickChance: (buyer: number, productId: number) => number
}

export function openShop(): Shop {
  const chance = new SeededRandom(seed)
  const stock = { chance, products: demoProducts(chance), loanConditions: loanConditions(chance) }
  const all = offers(stock)
  const byOffer = new Map(all.map((it) => [String(it.id), it.product_id]))
  const products = new Map(stock.products.map((it) => [it.record.id, it]))
  const byCategory = new Map(categories.map((it) => [it.id, it]))
  const departmentOf = (id: number): number => {
    const parent = byCategory.get(id)!.parentId
    return parent === null ? id : departmentOf(parent)
  }
  const ids = [...products.keys()].toSorted((a, b) => a - b)
  const place = new Map(ids.map((id, at) => [id, at]))
  const market = marketOf(stock)
  const stepsOf = (records: readonly InteractionRecord[]) =>
    records.map((it): ItemInteraction => ({
      item: place.get(byOffer.get(it.offer_id)!)!,
      kind: it.kind,
      day: new Date(it.at).getTime() / dayMs,
    }))
  const historiesAt = (end: Date, lived = market) => [...demoInteractions(lived, end)].map(stepsOf)
  const histories = historiesAt(until)
  const snapshot: Shop['snapshot'] = {
    until,
    products: ids.map((id) => {
      const { record, price } = products.get(id)!
      return {
        productId: id,
        categoryId: record.category_id,
        departmentId: departmentOf(record.category_id),
        brandId: record.brand_id,
        priceTiyin: Math.round(price * 100),
        words: Object.values(record.name).join(' '),
      }
    }),
    buyers: histories,
    places: histories.map(() => null),
  }
  const slugOf = (id: number) => byCategory.get(products.get(id)!.record.category_id)!.slug
  const lastYear = (date: Date) => {
    const earlier = { ...market, chance: new SeededRandom(`${seed}/last-year`) }
    const end = new Date(date.getTime() + (daysAfter - yearDays) * dayMs)
    return dailyDemand(snapshot, date.getTime() / dayMs, historiesAt(end, earlier).flat())
  }
  return { snapshot, products, slugOf, historiesAt, lastYear, clickChance: clickChances(market) }
}

function dailyDemand({ products }: Snapshot, date: number, steps: Steps): DailyDemand {
  const firstDay = date - yearDays - daysBefore
  const demand = new DailyDemandCollector(daysBefore + daysAfter)
  for (const { item, kind, day } of steps)
    if (day >= firstDay) demand.add(products[item]!, Math.floor(day - firstDay), interactionWeight[kind])
  return demand.result(firstDay)!
}

/** As in the simulation of visits; `buyer` counts from 0. */
function clickChances({ chance, categories: byCategorySlug }: Market): Shop['clickChance'] {
  const clusterOf = new Map(
    [...byCategorySlug.values()]
      .flat()
      .map((it) => [it.productId, { cluster: it.cluster, brandId: it.brandId }]),
  )
  const tastes = new Map<number, Preferences>()
  return (buyer, productId) => {
    const taste = tastes.get(buyer) ?? preferencesOf(buyer + 1, chance, byCategorySlug)
    tastes.set(buyer, taste)
    const good = clusterOf.get(productId)
    const isLiked = good && (good.cluster === taste.cluster || taste.brandIds.has(good.brandId))
    return isLiked ? clickShare.liked : clickShare.other
  }
}
