// The lists of the demo shop's buyers, and some of them by name.

import { dayMs } from '../src/base/clock.ts'
import type { ServingModel } from '../src/recommendations/models/active-model.ts'
import type { ItemInteraction } from '../src/recommendations/serving/buyer-profile.ts'
import {
  excludedProducts,
  rankProducts,
  type RankingInputs,
} from '../src/recommendations/serving/rank-products.ts'
import { type Layer, requestWith } from '../src/recommendations/serving/request.ts'
import { type Shop, until } from './demo-shop.ts'

export const limit = 30

const everythingForSale = { isAt: (slot: number) => slot === 0, slotOf: () => 0, has: () => true }

/** The products of a list as the serving path ranks them. */
export function listOf(
  { snapshot }: Shop,
  serving: ServingModel,
  { steps, layer, page }: { steps: readonly ItemInteraction[]; layer: Layer; page: number[] },
): number[] {
  const request = requestWith({ channel: 'bench', layer, products: page, limit })
  const buyer = {
    buyer: null,
    experimentKey: null,
    interactions: steps
      .slice(-200)
      .toReversed()
      .map(({ item, kind, day }) => {
        const { productId } = snapshot.products[item]!
        return { offer: String(productId), productId, kind, atMs: day * dayMs }
      }),
    pageProductIds: page,
    cartProductIds: new Set<number>(),
  }
  const excluded = excludedProducts(buyer, until, serving)
  const buyable = everythingForSale as unknown as RankingInputs['buyable']
  return rankProducts(serving, request, {
    buyer,
    excluded,
    now: until,
    buyable,
    trace: undefined,
  }).productIds.slice(0, limit)
}

/** The main page of an unknown buyer. */
export const newList = (shop: Shop, serving: ServingModel): number[] =>
  listOf(shop, serving, { steps: [], layer: 'main_page', page: [] })

/** By product, the day of the last purchase. */
export function lastPurchases({ snapshot }: Shop, steps: readonly ItemInteraction[]): Map<number, number> {
  const bought = new Map<number, number>()
  for (const { item, kind, day } of steps)
    if (kind === 'purchase') bought.set(snapshot.products[item]!.productId, day)
  return bought
}

function showList({ products }: Shop, title: string, list: number[]): void {
  const nameOf = (id: number) => products.get(id)!.record.name.en
  const lines = list.slice(0, 10).map((id, at) => `${at + 1}. ${nameOf(id)}`)
  process.stderr.write(`${title}\n${lines.join('\n')}\n\n`)
}

export const showNewBuyer = (shop: Shop, serving: ServingModel, title: string): void =>
  showList(shop, `**${title}.**\n`, newList(shop, serving))

/** Ten lists by name, for a person to judge. */
export function printLists(shop: Shop, serving: ServingModel): void {
  const nameOf = (id: number) => shop.products.get(id)!.record.name.en
  const show = (title: string, list: number[]) => showList(shop, title, list)
  showNewBuyer(shop, serving, 'A new buyer')
  for (const buyer of [3, 17, 42]) {
    const steps = shop.snapshot.buyers[buyer]!
    const seen = [...new Set(steps.map((it) => shop.snapshot.products[it.item]!.productId))].slice(-4)
    const bought = [...lastPurchases(shop, steps).keys()].slice(-4)
    show(
      `**Home of a buyer** who last saw ${seen.map(nameOf).join('; ')}, and bought ${bought.map(nameOf).join('; ')}.\n`,
      listOf(shop, serving, { steps, layer: 'main_page', page: [] }),
    )
  }
  const pages = {
    offer_page: ['smartphones', 'tyres', 'diapers'],
    cart_page: ['smartphones', 'furniture', 'laptops'],
  }
  for (const [layer, slugs] of Object.entries(pages) as [keyof typeof pages, string[]][])
    for (const slug of slugs) {
      const { record } = [...shop.products.values()].find((it) => shop.slugOf(it.record.id) === slug)!
      show(
        `**${layer === 'cart_page' ? 'Cart with' : 'Product page of'}** ${nameOf(record.id)}.\n`,
        listOf(shop, serving, { steps: [], layer, page: [record.id] }),
      )
    }
}
