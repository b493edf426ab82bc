// A list under way. What is too much of one partner or category waits: it is used when nothing else is left.

import type { StallOffer } from '../catalog/index.ts'
import type { Ask } from './ask.ts'
import type { Trace } from './trace.ts'

const mostOfPartner = 10
const mostOfCategory = 12

export class List {
  readonly #limit: number
  /** A page about one category or one thing may show as much of it as there is. */
  readonly #mostOfCategory: number
  readonly #trace: Trace | undefined
  readonly #products = new Set<number>()
  readonly #partners = new Map<number, number>()
  readonly #categories = new Map<number, number>()
  #taken: StallOffer[] = []
  #waiting: StallOffer[] = []

  constructor({ limit, categoryId, layer }: Ask, trace: Trace | undefined) {
    this.#limit = limit
    this.#mostOfCategory = categoryId === null && layer === 'main_page' ? mostOfCategory : Infinity
    this.#trace = trace
  }

  get isFull(): boolean {
    return this.#taken.length >= this.#limit
  }

  /** How many products it has seen, whether they stand in it or not. */
  get size(): number {
    return this.#products.size
  }

  has(productId: number): boolean {
    return this.#products.has(productId)
  }

  add(offer: StallOffer): void {
    if (this.#products.has(offer.productId)) return
    this.#products.add(offer.productId)
    const partner = this.#partners.get(offer.partnerId) ?? 0
    const category = this.#categories.get(offer.categoryId) ?? 0
    if (partner >= mostOfPartner || category >= this.#mostOfCategory) {
      this.#waiting.push(offer)
      this.#trace?.removed([offer.productId], () =>
        partner >= mostOfPartner ? 'partner_has_enough' : 'category_has_enough',
      )
      return
    }
    this.#partners.set(offer.partnerId, partner + 1)
    this.#categories.set(offer.categoryId, category + 1)
    this.#taken.push(offer)
  }

  /** Takes it out for good: it cannot be bought after all. */
  drop(offer: StallOffer): void {
    if (this.#taken.includes(offer)) {
      this.#partners.set(offer.partnerId, this.#partners.get(offer.partnerId)! - 1)
      this.#categories.set(offer.categoryId, this.#categories.get(offer.categoryId)! - 1)
    }
    this.#taken = this.#taken.filter((it) => it !== offer)
    this.#waiting = this.#waiting.filter((it) => it !== offer)
  }

  offers(): StallOffer[] {
    return [...this.#taken, ...this.#waiting].slice(0, this.#limit)
  }
}
