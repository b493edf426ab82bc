// What one buyer likes. A part of it nobody could read from the goods: circles of things that the same people like.

import type { Chance } from './chance.ts'
import type { Product } from './product.ts'
import { themes } from './themes.ts'

/** A product as a buyer meets it. */
export interface Good {
  productId: number
  shelf: string
  brandId: number
  /** 0 for the cheapest third of its shelf, 2 for the dearest. */
  band: number
  circle: number
  popularity: number
  /** The best offer first. */
  offers: number[]
}

export interface Taste {
  /** Each with the share of visits it gets. */
  themes: { shelves: string[]; share: number }[]
  brandIds: Set<number>
  band: number
  circle: number
}

const circles = 8
const themeNames = Object.keys(themes)

/** Every product that somebody sells, on its shelf. */
export function goodsOnShelves(
  products: readonly Product[],
  given: { chance: Chance; offersOf: ReadonlyMap<number, number[]>; shelfOf: ReadonlyMap<number, string> },
): Map<string, Good[]> {
  const sold = products.filter((it) => given.offersOf.has(it.record.id))
  const shelves = Map.groupBy(sold, (it) => given.shelfOf.get(it.record.category_id)!)
  return new Map(
    [...shelves].map(([shelf, those]) => {
      const prices = those.map((it) => it.price).sort((a, b) => a - b)
      const [third = 0, twoThirds = 0] = [1, 2].map((part) => prices[Math.floor((prices.length * part) / 3)])
      return [
        shelf,
        those.map(({ record, price, popularity }) => ({
          productId: record.id,
          shelf,
          brandId: record.brand_id,
          band: price < third ? 0 : price < twoThirds ? 1 : 2,
          circle: given.chance.whole(`circle/${record.slug}`, 0, circles - 1),
          popularity,
          offers: given.offersOf.get(record.id)!,
        })),
      ]
    }),
  )
}

export function tasteOf(buyer: number, chance: Chance, shelves: ReadonlyMap<string, Good[]>): Taste {
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
    themes: chosen,
    brandIds: new Set(liked),
    band: chance.whole(`band/${buyer}`, 0, 2),
    circle: chance.whole(`buyer-circle/${buyer}`, 0, circles - 1),
  }
}

/** How much a buyer is drawn to a good. What sells well draws everybody a little. */
export const pullOf = (good: Good, taste: Taste): number =>
  Math.sqrt(good.popularity) *
  (good.circle === taste.circle ? 9 : 1) *
  (taste.brandIds.has(good.brandId) ? 3 : 1) *
  Math.exp(-0.8 * Math.abs(good.band - taste.band))
