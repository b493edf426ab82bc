// The offers in the index, by id: the product of each, and whether it is in stock. A shop has several offers for each
// product, so an entry is one number and no object.

interface KnownOffer {
  productId: number
  /** Undefined while it is not known: it may have changed since it was read. */
  inStock: boolean | undefined
}

/** By their place in a number. */
const stocks = [false, true, undefined] as const

export class KnownOffers {
  /** The product's id times the number of stocks, plus the place of its stock. */
  readonly #offers = new Map<number, number>()

  set(id: number, { productId, inStock }: KnownOffer): void {
    this.#offers.set(id, productId * stocks.length + stocks.indexOf(inStock))
  }

  delete(id: number): void {
    this.#offers.delete(id)
  }

  /** Undefined for an offer that is not in the index. */
  productOf(id: number): number | undefined {
    const known = this.#offers.get(id)
    return known === undefined ? undefined : Math.floor(known / stocks.length)
  }

  /** Undefined also for an offer that is not in the index. */
  isInStock(id: number): boolean | undefined {
    const known = this.#offers.get(id)
    return known === undefined ? undefined : stocks[known % stocks.length]
  }

  /** The products of all offers. */
  productIds(): number[] {
    return Array.from(this.#offers.values(), (it) => Math.floor(it / stocks.length))
  }
}
