// Three months of the shop's life: who looked at what, wished it, put it into the cart and bought it. A pure function
// of a seed and of the instant at which it ends.

import { categories } from './categories.ts'
import type { Chance } from './chance.ts'
import { clientCount } from './clients.ts'
import { offers, type Stock } from './offers.ts'
import type { InteractionRecord } from './record.ts'
import { type Good, goodsOnShelves, pullOf, type Taste, tasteOf } from './taste.ts'
import { companions, usedUpAfterDays } from './themes.ts'

export const lifeDays = 90
const dayMs = 86_400_000
const fewestVisits = 2
const mostVisits = 18
/** The share of visits that come from nothing a buyer likes: a link, a present, a whim. */
const whims = 0.08

/** What buyers walk through. */
export interface Scene {
  chance: Chance
  shelves: ReadonlyMap<string, Good[]>
}

export const sceneOf = (stock: Stock): Scene => ({
  chance: stock.chance,
  shelves: goodsOnShelves(stock.products, {
    chance: stock.chance,
    offersOf: offersByProduct(stock),
    shelfOf: new Map(categories.map((it) => [it.id, it.slug])),
  }),
})

/** The deeds of every buyer, or of some, one buyer after the other, each in the order of time. */
export function* demoBehaviour(
  { chance, shelves }: Scene,
  until: Date,
  { from, to } = { from: 1, to: clientCount },
): Generator<InteractionRecord[]> {
  for (let buyer = from; buyer <= to; buyer++) yield new Life(buyer, chance, shelves).lived(until)
}

/** Offers that a buyer at home sees, the cheapest of each product first. */
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

interface Deed {
  good: Good
  kind: InteractionRecord['kind']
  /** Milliseconds before the end. */
  before: number
}

/** One buyer, from his first visit to his last. */
class Life {
  readonly #buyer: number
  readonly #taste: Taste
  readonly #shelves: ReadonlyMap<string, Good[]>
  readonly #draw: () => number
  readonly #deeds: Deed[] = []
  readonly #owned = new Set<number>()
  /** Shelves to be looked at because of what was bought, with the brand that was. */
  readonly #wanted: { shelf: string; brandId: number }[] = []

  constructor(buyer: number, chance: Chance, shelves: ReadonlyMap<string, Good[]>) {
    this.#buyer = buyer
    this.#taste = tasteOf(buyer, chance, shelves)
    this.#shelves = shelves
    this.#draw = chance.stream(`life/${buyer}`)
  }

  lived(until: Date): InteractionRecord[] {
    const visits = fewestVisits + Math.floor(this.#draw() ** 2 * (mostVisits - fewestVisits))
    const days = Array.from({ length: visits }, () => this.#draw() * lifeDays).sort((a, b) => b - a)
    for (const day of days) this.#visit(Math.max(0.05, day) * dayMs)
    this.#buyAgain()
    return this.#deeds
      .sort((a, b) => b.before - a.before)
      .map(({ good, kind, before }) => ({
        record: 'interaction',
        user_id: String(this.#buyer),
        offer_id: String(good.offers[Math.floor(before) % 5 === 0 && good.offers.length > 1 ? 1 : 0]),
        kind,
        at: new Date(until.getTime() - before).toISOString(),
      }))
  }

  #visit(begin: number): void {
    let shelf = this.#shelfToVisit()
    let last: Good | undefined
    let before = begin
    const inCart = new Set<Good>()
    const looks = 3 + Math.floor(this.#draw() * 6)
    for (let look = 0; look < looks && before > 60_000; look++) {
      if (this.#draw() < 0.2) shelf = this.#shelfToVisit()
      const good = this.#pick(shelf, last)
      if (!good) continue
      before -= this.#step(15, 90)
      this.#deeds.push({ good, kind: 'view', before })
      const isLiked = good.circle === this.#taste.circle || this.#taste.brandIds.has(good.brandId)
      if (this.#draw() < (isLiked ? 0.4 : 0.15))
        this.#deeds.push({ good, kind: 'click', before: before - 2_000 })
      if (this.#draw() < (isLiked ? 0.07 : 0.02))
        this.#deeds.push({ good, kind: 'wishlist', before: before - 5_000 })
      if (this.#draw() < (isLiked ? 0.16 : 0.04)) {
        this.#deeds.push({ good, kind: 'cart', before: before - 9_000 })
        inCart.add(good)
      }
      last = good
    }
    for (const good of inCart) if (this.#draw() < 0.6) this.#buy(good, Math.max(1_000, before - 30_000))
  }

  /** What goes with a purchase is looked for first; then the buyer's themes, the front shelves most. */
  #shelfToVisit(): string {
    const [wanted] = this.#wanted
    if (wanted && this.#draw() < 0.6) {
      this.#wanted.shift()
      this.#taste.brandIds.add(wanted.brandId)
      return wanted.shelf
    }
    if (this.#draw() < whims) {
      const all = [...this.#shelves.keys()]
      return all[Math.floor(this.#draw() * all.length)]!
    }
    const share = this.#draw()
    const { shelves } = this.#taste.themes.find((it) => share < it.share)!
    return shelves[Math.floor(this.#draw() ** 1.7 * shelves.length)]!
  }

  /** Of a shelf, what draws most; who has looked at a brand stays with it for a while. */
  #pick(shelf: string, last: Good | undefined): Good | undefined {
    const goods = (this.#shelves.get(shelf) ?? []).filter((it) => !this.#owned.has(it.productId))
    const pulls = goods.map((it) =>
      it === last ? 0 : pullOf(it, this.#taste) * (last && last.brandId === it.brandId ? 2.5 : 1),
    )
    let rest = this.#draw() * pulls.reduce((sum, it) => sum + it, 0)
    return goods.find((_, at) => (rest -= pulls[at]!) < 0)
  }

  #buy(good: Good, before: number): void {
    this.#deeds.push({ good, kind: 'purchase', before })
    if (!usedUpAfterDays[good.shelf]) this.#owned.add(good.productId)
    for (const shelf of companions[good.shelf] ?? []) this.#wanted.push({ shelf, brandId: good.brandId })
  }

  /** What is used up is bought again, each time a little earlier or later. */
  #buyAgain(): void {
    const bought = this.#deeds.filter((it) => it.kind === 'purchase' && usedUpAfterDays[it.good.shelf])
    for (const { good, before: first } of bought) {
      const days = usedUpAfterDays[good.shelf]! * (0.8 + this.#draw() * 0.4)
      for (let before = first - days * dayMs; before > 120_000;) {
        this.#deeds.push({ good, kind: 'view', before })
        this.#deeds.push({ good, kind: 'cart', before: before - 20_000 })
        this.#deeds.push({ good, kind: 'purchase', before: before - 60_000 })
        before -= days * dayMs * (0.85 + this.#draw() * 0.3)
      }
    }
  }

  #step(fewest: number, most: number): number {
    return Math.floor(fewest + this.#draw() * (most - fewest)) * 1_000
  }
}
