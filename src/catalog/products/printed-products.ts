// Products as JSON. Lists and details show the same products again and again, and printing them is most of the cost of a
// call, so each is printed once for a way of reading it.

import { ownBytes } from '../../base/own-bytes.ts'
import type { ProductDetails } from '../offers/offer-details.ts'
import { productDetailView, productView, type Reading } from '../offers/views.ts'

/** All are dropped when they are longer than this together. */
const maxBytes = 12_000_000

/** By details: changed ones, and those at other prices, are other objects. */
type Printed = WeakMap<ProductDetails, Buffer>
type Print = (details: ProductDetails, reading: Reading) => string

const printInList: Print = (it, reading) => JSON.stringify(productView(it, reading))
const printDetail: Print = (it, reading) => JSON.stringify({ product: productDetailView(it, reading) })

export class PrintedProducts {
  /** By reading. */
  readonly #inLists = new Map<string, Printed>()
  readonly #details = new Map<string, Printed>()
  #bytes = 0

  /** The JSON of an object: `products` as lists show them, and other fields. */
  withProducts(products: readonly ProductDetails[], reading: Reading, others: object): Buffer {
    const printed = printedFor(this.#inLists, reading)
    const parts: Buffer[] = []
    for (const it of products)
      parts.push(parts.length === 0 ? opening : comma, this.#of(it, { printed, reading, print: printInList }))
    if (parts.length === 0) parts.push(opening)
    return Buffer.concat([...parts, Buffer.from(`],${JSON.stringify(others).slice(1)}`)])
  }

  /** The JSON of an object with the detail of a product as `product`. */
  detail(details: ProductDetails, reading: Reading): Buffer {
    return this.#of(details, { printed: printedFor(this.#details, reading), reading, print: printDetail })
  }

  #of(
    details: ProductDetails,
    { printed, reading, print }: { printed: Printed; reading: Reading; print: Print },
  ): Buffer {
    const known = printed.get(details)
    if (known) return known
    const json = ownBytes(print(details, reading))
    printed.set(details, json)
    this.#bytes += json.length
    if (this.#bytes > maxBytes) {
      this.#inLists.clear()
      this.#details.clear()
      this.#bytes = 0
    }
    return json
  }
}

function printedFor(all: Map<string, Printed>, { language, region, currency, origin }: Reading): Printed {
  const key = `${language} ${region} ${currency.code} ${currency.tiyin} ${currency.parts} ${origin}`
  const known = all.get(key)
  if (known) return known
  const opened: Printed = new WeakMap()
  all.set(key, opened)
  return opened
}

const opening = Buffer.from('{"products":[')
const comma = Buffer.from(',')
