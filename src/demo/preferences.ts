// The preferences of a buyer. Clusters are a hidden part: no product field shows them, so a model can learn them only
// from interactions.

import type { SeededRandom } from './seeded-random.ts'
import type { Product } from './product.ts'
import { mustFit, themes } from './themes.ts'

export interface MarketProduct {
  productId: number
  category: string
  brandId: number
  /** 0 for the cheapest third of its category, 2 for the most expensive. */
  priceBand: number
  cluster: number
  popularity: number
  /** Where it must fit. */
  size: string | undefined
  /** Offer ids, cheapest first. */
  offers: number[]
}

export interface Preferences {
  /** `share` is cumulative: the last one is 1. */
  interests: { shelves: string[]; share: number }[]
  brandIds: Set<number>
  priceBand: number
  cluster: number
  /** By category, the size that the buyer needs. */
  sizes: ReadonlyMap<string, string>
}

/** How much less a product of another size attracts. */
const otherSize = 0.05
const clusterCount = 8
const themeNames = Object.keys(themes)

/** Products with at least one offer, by category slug. */
export function productsByCategory(
  products: readonly Product[],
  given: {
    chance: SeededRandom
    offersOf: ReadonlyMap<number, number[]>
    shelfOf: ReadonlyMap<number, string>
  },
): Map<string, MarketProduct[]> {
  const sold = products.filter((it) => given.offersOf.has(it.record.id))
  const byCategory = Map.groupBy(sold, (it) => given.shelfOf.get(it.record.category_id)!)
  return new Map(
    [...byCategory].map(([category, those]) => {
      const prices = those.map((it) => it.price).sort((a, b) => a - b)
      const [third = 0, twoThirds = 0] = [1, 2].map((part) => prices[Math.floor((prices.length * part) / 3)])
      return [
        category,
        those.map(({ record, price, popularity, size }) => ({
          productId: record.id,
          category,
          brandId: record.brand_id,
          priceBand: price < third ? 0 : price < twoThirds ? 1 : 2,
          cluster: given.chance.whole(`circle/${record.slug}`, 0, clusterCount - 1),
          popularity,
          size: mustFit.has(category) ? size : undefined,
          offers: given.offersOf.get(record.id)!,
        })),
      ]
    }),
  )
}

export function preferencesOf(
  buyer: number,
  chance: SeededRandom,
  shelves: ReadonlyMap<string, MarketProduct[]>,
): Preferences {
  const [first, second] = chance.shuffled(`themes/${buyer}`, themeNames)
  const chosen = [
    { shelves: themes[first!]!, share: 0.72 },
    { shelves: themes[second!]!, share: 1 },
  ]
  const brands = new Set(
    chosen.flatMap((it) =>
      it.shelves.flatMap((shelf) => (shelves.get(shelf) ?? []).map((good) => good.brandId)),
    ),
  )
  const liked = chance.shuffled(`brands/${buyer}`, [...brands]).slice(0, Math.ceil(brands.size / 5))
  return {
    interests: chosen,
    brandIds: new Set(liked),
    priceBand: chance.whole(`band/${buyer}`, 0, 2),
    cluster: chance.whole(`buyer-circle/${buyer}`, 0, clusterCount - 1),
    sizes: new Map(
      [...mustFit].flatMap((category) => {
        const sizes = [...new Set((shelves.get(category) ?? []).flatMap(({ size }) => size ?? []))]
        return sizes.length > 0 ? [[category, chance.oneOf(`size/${category}/${buyer}`, sizes)]] : []
      }),
    ),
  }
}

/** The weight of a product for a buyer. Popularity raises it for all buyers. */
export const attractionOf = (good: MarketProduct, taste: Preferences): number =>
  Math.sqrt(good.popularity) *
  (good.cluster === taste.cluster ? 9 : 1) *
  (taste.brandIds.has(good.brandId) ? 3 : 1) *
  Math.exp(-0.8 * Math.abs(good.priceBand - taste.priceBand)) *
  (good.size !== undefined && good.size !== taste.sizes.get(good.category) ? otherSize : 1)
