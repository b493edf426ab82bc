// Products of lists as JSON. Lists show the same products again and again, and printing them is most of the cost of a
// list, so each is printed once for a way of reading it.

import type { ProductDetails } from '../offers/offer-details.ts'
import { productView, type Reading } from '../offers/views.ts'

/** All are dropped when there are this many: about ten megabytes. */
const maxPrinted = 10_000

export class PrintedProducts {
  /** By reading. Changed details, and details at other prices, are other objects. */
  readonly #printed = new Map<string, WeakMap<ProductDetails, Buffer>>()
  #count = 0

  /** The JSON of an object: `products` as lists show them, and other fields. */
  withProducts(products: readonly ProductDetails[], reading: Reading, others: object): Buffer {
    const printed = this.#printedFor(reading)
    const parts: Buffer[] = []
    for (const it of products)
      parts.push(parts.length === 0 ? opening : comma, this.#of(it, printed, reading))
    if (parts.length === 0) parts.push(opening)
    return Buffer.concat([...parts, Buffer.from(`],${JSON.stringify(others).slice(1)}`)])
  }

  #of(details: ProductDetails, printed: WeakMap<ProductDetails, Buffer>, reading: Reading): Buffer {
    const known = printed.get(details)
    if (known) return known
    const json = Buffer.from(JSON.stringify(productView(details, reading)))
    printed.set(details, json)
    if (++this.#count >= maxPrinted) {
      this.#printed.clear()
      this.#count = 0
    }
    return json
  }

  #printedFor({ language, region, currency, origin }: Reading): WeakMap<ProductDetails, Buffer> {
    const key = `${language} ${region} ${currency.code} ${currency.tiyin} ${currency.parts} ${origin}`
    const known = this.#printed.get(key)
    if (known) return known
    const opened = new WeakMap<ProductDetails, Buffer>()
    this.#printed.set(key, opened)
    return opened
  }
}

const opening = Buffer.from('{"products":[')
const comma = Buffer.from(',')
