// The offers in the index, by id: the product of each, and whether it is in stock. A shop has several offers for each
// product, so an entry is one number and no object.

export class KnownOffers {
  /** The product's id times two, plus one when the offer is in stock. */
  readonly #offers = new Map<number, number>()

  set(id: number, { productId, inStock }: { productId: number; inStock: boolean }): void {
    this.#offers.set(id, productId * 2 + (inStock ? 1 : 0))
  }

  delete(id: number): void {
    this.#offers.delete(id)
  }

  /** Undefined for an offer that is not in the index. */
  productOf(id: number): number | undefined {
    const known = this.#offers.get(id)
    return known === undefined ? undefined : Math.floor(known / 2)
  }

  isInStock(id: number): boolean | undefined {
    const known = this.#offers.get(id)
    return known === undefined ? undefined : known % 2 === 1
  }

  /** The products of all offers. */
  productIds(): number[] {
    return Array.from(this.#offers.values(), (it) => Math.floor(it / 2))
  }
}
