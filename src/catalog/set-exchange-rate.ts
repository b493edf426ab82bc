import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import { type ExchangeRate, isForeignCurrency } from './exchange-rate.ts'
import * as store from './store/rates.ts'

/** Says what a currency costs from now on. */
export async function setExchangeRate(
  tx: Tx,
  { currency, tiyin, ifMatch }: { currency: string; tiyin: number; ifMatch?: number | undefined },
): Promise<{ rate: ExchangeRate; isNew: boolean }> {
  if (!isForeignCurrency(currency))
    throw refuse('validation_failed', { fields: [{ path: 'currency', rule: 'currency' }] })
  const before = await store.lockRate(tx, currency)
  if (before) refuseStale(before, ifMatch)
  if (before?.tiyin === tiyin) return { rate: before, isNew: false }

  const rate = await store.upsertRate(tx, currency, tiyin)
  await publish(tx, { type: 'ExchangeRateChanged', currency, tiyin })
  return { rate, isNew: !before }
}
