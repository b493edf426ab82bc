// The currencies in which prices can be shown, as this process knows them.

import { type Currency, currencyOf } from '../base/money.ts'
import type { Shop } from '../base/shop.ts'
import { listRates } from './store/rates.ts'

export class Rates {
  readonly #shop: Shop
  #known = new Map<string, Currency>()
  #reads = 0

  constructor(shop: Shop) {
    this.#shop = shop
    shop.relay.listen((event) => {
      if (event.type === 'ExchangeRateChanged')
        this.#known.set(event.currency, currencyOf(event.currency, event.tiyin))
      else if (event.type === 'ExchangeRateDeleted') this.#known.delete(event.currency)
      else return
      // Two changes of one rate may be heard in either order; what stands decides. When it cannot be read, prices are
      // shown by what was heard.
      this.read().catch(() => {})
    })
  }

  currencyOf(code: string): Currency | undefined {
    return this.#known.get(code)
  }

  async read(): Promise<void> {
    const turn = ++this.#reads
    const rates = await listRates(this.#shop.db.read())
    if (turn !== this.#reads) return
    this.#known = new Map(rates.map((it) => [it.currency, currencyOf(it.currency, it.tiyin)]))
  }
}
