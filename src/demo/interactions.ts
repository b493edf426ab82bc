// Simulates three months of interactions: views, clicks, wishlists, carts and purchases. A pure function of the seed
// and the end of the period, whose months decide what is in season.

import { dayMs } from '../base/clock.ts'
import { categories } from './categories.ts'
import { demandAt } from './demand-by-month.ts'
import type { SeededRandom } from './seeded-random.ts'
import { clientCount } from './clients.ts'
import { offers, type Stock } from './offers.ts'
import type { InteractionRecord } from './record.ts'
import {
  type MarketProduct,
  productsByCategory,
  attractionOf,
  type Preferences,
  preferencesOf,
} from './preferences.ts'
import { companions, usedUpAfterDays } from './themes.ts'

export const historyDays = 90
const fewestVisits = 2
const mostVisits = 18
/** The share of category visits unrelated to the preferences of the buyer. */
const randomVisitShare = 0.08
/** The smaller, the more often a buyer visits the first categories of an interest. */
const evenness = 1 / 1.7
/** The share of viewed products that a buyer clicks, of those that the buyer likes and of others. */
export const clickShare = { liked: 0.4, other: 0.15 }

export interface Market {
  chance: SeededRandom
  categories: ReadonlyMap<string, MarketProduct[]>
}

export const marketOf = (stock: Stock): Market => ({
  chance: stock.chance,
  categories: productsByCategory(stock.products, {
    chance: stock.chance,
    offersOf: offersByProduct(stock),
    shelfOf: new Map(categories.map((it) => [it.id, it.slug])),
  }),
})

/** Yields the interactions of one buyer at a time, in chronological order. */
export function* demoInteractions(
  { chance, categories: shelves }: Market,
  until: Date,
  { from, to } = { from: 1, to: clientCount },
): Generator<InteractionRecord[]> {
  for (let buyer = from; buyer <= to; buyer++) yield new BuyerSimulation(buyer, chance, shelves).run(until)
}

/** Offers visible in the home region, by product, cheapest first. */
function offersByProduct(stock: Stock): Map<number, number[]> {
  const seen = offers(stock).filter(
    (it) => it.is_visible && it.is_active && it.quantity > 0 && it.regions.includes('home'),
  )
  const cheapestFirst = seen.toSorted((a, b) => a.price_tiyin - b.price_tiyin || a.id - b.id)
  return new Map(
    [...Map.groupBy(cheapestFirst, (it) => it.product_id)].map(([id, those]) => [
      id,
      those.map((it) => it.id),
    ]),
  )
}

interface Step {
  good: MarketProduct
  kind: InteractionRecord['kind']
  /** Milliseconds before the end of the period. */
  before: number
}

/** A category and how often it is visited, before the season. */
interface VisitedShelf {
  shelf: string
  weight: number
}

const likedShelves = ({ interests }: Preferences): VisitedShelf[] =>
  interests.flatMap(({ shelves, share }, at) => {
    const own = share - (interests[at - 1]?.share ?? 0)
    const upTo = (count: number) => (count / shelves.length) ** evenness
    return shelves.map((shelf, rank) => ({ shelf, weight: own * (upTo(rank + 1) - upTo(rank)) }))
  })

class BuyerSimulation {
  readonly #buyer: number
  readonly #taste: Preferences
  readonly #shelves: ReadonlyMap<string, MarketProduct[]>
  /** What the buyer visits of interest, and what by chance. */
  readonly #liked: readonly VisitedShelf[]
  readonly #anyShelf: readonly VisitedShelf[]
  readonly #draw: () => number
  readonly #steps: Step[] = []
  readonly #owned = new Set<number>()
  /** Categories to visit next because of a purchase, with the brand of that purchase. */
  readonly #wanted: { shelf: string; brandId: number }[] = []

  constructor(buyer: number, chance: SeededRandom, shelves: ReadonlyMap<string, MarketProduct[]>) {
    this.#buyer = buyer
    this.#taste = preferencesOf(buyer, chance, shelves)
    this.#shelves = shelves
    this.#liked = likedShelves(this.#taste)
    this.#anyShelf = [...shelves.keys()].map((shelf) => ({ shelf, weight: 1 }))
    this.#draw = chance.stream(`life/${buyer}`)
  }

  run(until: Date): InteractionRecord[] {
    const visits = fewestVisits + Math.floor(this.#draw() ** 2 * (mostVisits - fewestVisits))
    const days = Array.from({ length: visits }, () => this.#draw() * historyDays).sort((a, b) => b - a)
    for (const day of days) this.#visit(Math.max(0.05, day) * dayMs, until)
    this.#buyAgain()
    return this.#steps
      .sort((a, b) => b.before - a.before)
      .map(({ good, kind, before }) => ({
        record: 'interaction',
        user_id: String(this.#buyer),
        offer_id: String(good.offers[Math.floor(before) % 5 === 0 && good.offers.length > 1 ? 1 : 0]),
        kind,
        at: new Date(until.getTime() - before).toISOString(),
      }))
  }

  #visit(begin: number, until: Date): void {
    const at = new Date(until.getTime() - begin)
    let shelf = this.#shelfToVisit(at)
    let last: MarketProduct | undefined
    let before = begin
    const inCart = new Set<MarketProduct>()
    const looks = 3 + Math.floor(this.#draw() * 6)
    for (let look = 0; look < looks && before > 60_000; look++) {
      if (this.#draw() < 0.2) shelf = this.#shelfToVisit(at)
      const good = this.#pick(shelf, last)
      if (!good) continue
      before -= this.#step(15, 90)
      this.#steps.push({ good, kind: 'view', before })
      const isLiked = good.cluster === this.#taste.cluster || this.#taste.brandIds.has(good.brandId)
      if (this.#draw() < (isLiked ? clickShare.liked : clickShare.other))
        this.#steps.push({ good, kind: 'click', before: before - 2_000 })
      if (this.#draw() < (isLiked ? 0.07 : 0.02))
        this.#steps.push({ good, kind: 'wishlist', before: before - 5_000 })
      if (this.#draw() < (isLiked ? 0.16 : 0.04)) {
        this.#steps.push({ good, kind: 'cart', before: before - 9_000 })
        inCart.add(good)
      }
      last = good
    }
    for (const good of inCart) if (this.#draw() < 0.6) this.#buy(good, Math.max(1_000, before - 30_000))
  }

  /** Companions of a purchase come first, then the themes of the buyer, weighted to their first categories and by season. */
  #shelfToVisit(at: Date): string {
    const [wanted] = this.#wanted
    if (wanted && this.#draw() < 0.6) {
      this.#wanted.shift()
      this.#taste.brandIds.add(wanted.brandId)
      return wanted.shelf
    }
    const visited = this.#draw() < randomVisitShare ? this.#anyShelf : this.#liked
    const weights = visited.map(({ shelf, weight }) => weight * demandAt(shelf, at))
    let rest = this.#draw() * weights.reduce((sum, it) => sum + it, 0)
    return (visited.find((_, place) => (rest -= weights[place]!) < 0) ?? visited.at(-1)!).shelf
  }

  /** A random product of the category, weighted by attraction; the brand viewed last gets a higher weight. */
  #pick(shelf: string, last: MarketProduct | undefined): MarketProduct | undefined {
    const goods = (this.#shelves.get(shelf) ?? []).filter((it) => !this.#owned.has(it.productId))
    const pulls = goods.map((it) =>
      it === last ? 0 : attractionOf(it, this.#taste) * (last && last.brandId === it.brandId ? 2.5 : 1),
    )
    let rest = this.#draw() * pulls.reduce((sum, it) => sum + it, 0)
    return goods.find((_, at) => (rest -= pulls[at]!) < 0)
  }

  #buy(good: MarketProduct, before: number): void {
    this.#steps.push({ good, kind: 'purchase', before })
    if (!usedUpAfterDays[good.category]) this.#owned.add(good.productId)
    for (const shelf of companions[good.category] ?? []) this.#wanted.push({ shelf, brandId: good.brandId })
  }

  /** Repeats purchases of consumables at slightly irregular intervals. */
  #buyAgain(): void {
    const bought = this.#steps.filter((it) => it.kind === 'purchase' && usedUpAfterDays[it.good.category])
    for (const { good, before: first } of bought) {
      const days = usedUpAfterDays[good.category]! * (0.8 + this.#draw() * 0.4)
      for (let before = first - days * dayMs; before > 120_000;) {
        this.#steps.push({ good, kind: 'view', before })
        this.#steps.push({ good, kind: 'cart', before: before - 20_000 })
        this.#steps.push({ good, kind: 'purchase', before: before - 60_000 })
        before -= days * dayMs * (0.85 + this.#draw() * 0.3)
      }
    }
  }

  #step(fewest: number, most: number): number {
    return Math.floor(fewest + this.#draw() * (most - fewest)) * 1_000
  }
}
