// Exchange rates: use cases, and the cache that prices are shown by.

import * as store from './store.ts'
import type { ExchangeRate } from './store.ts'
import { type Currency, currencyOf } from '../../base/money.ts'
import type { Shop } from '../../base/shop.ts'
import { listRates } from './store.ts'
import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'

export class ExchangeRateCache {
  readonly #shop: Shop
  #known = new Map<string, Currency>()
  #reads = 0

  constructor(shop: Shop) {
    this.#shop = shop
    shop.relay.subscribe((event) => {
      if (event.type === 'ExchangeRateChanged')
        this.#known.set(event.currency, currencyOf(event.currency, event.tiyin))
      else if (event.type === 'ExchangeRateDeleted') this.#known.delete(event.currency)
      else return
      // Events of one rate may arrive in any order, so the table decides. If it cannot be read, the event's rate is used.
      this.read().catch(() => {})
    })
  }

  currencyOf(code: string): Currency | undefined {
    return this.#known.get(code)
  }

  codes(): string[] {
    return [...this.#known.keys()].toSorted()
  }

  async read(): Promise<void> {
    const turn = ++this.#reads
    const rates = await listRates(this.#shop.db.read())
    if (turn !== this.#reads) return
    this.#known = new Map(rates.map((it) => [it.currency, currencyOf(it.currency, it.tiyin)]))
  }
}

/** A currency code that ICU knows; UZS needs no rate. */
export const isForeignCurrency = (code: string): boolean =>
  code !== 'UZS' && Intl.supportedValuesOf('currency').includes(code)

export async function setExchangeRate(
  tx: Tx,
  { currency, tiyin, ifMatch }: { currency: string; tiyin: number; ifMatch?: IfMatch | undefined },
): Promise<{ rate: ExchangeRate; isNew: boolean; isChanged: boolean }> {
  if (!isForeignCurrency(currency))
    throw refuse('validation_failed', { fields: [{ path: 'currency', rule: 'currency' }] })
  const before = await store.lockRate(tx, currency)
  requireVersion(before, ifMatch)
  if (before?.tiyin === tiyin) return { rate: before, isNew: false, isChanged: false }

  const rate = await store.upsertRate(tx, currency, tiyin)
  publish(tx, { type: 'ExchangeRateChanged', currency, tiyin })
  return { rate, isNew: !before, isChanged: true }
}

/** Prices are no longer shown in this currency. */
export async function deleteExchangeRate(
  tx: Tx,
  currency: string,
  ifMatch: IfMatch | undefined,
): Promise<ExchangeRate> {
  const before = await store.lockRate(tx, currency)
  if (!before) throw refuse('not_found')
  requireVersion(before, ifMatch)

  await store.deleteRate(tx, currency)
  publish(tx, { type: 'ExchangeRateDeleted', currency })
  return before
}
