import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import type { ExchangeRate } from './exchange-rate.ts'
import * as store from './store/rates.ts'

/** Prices are no longer shown in the currency. */
export async function deleteExchangeRate(
  tx: Tx,
  currency: string,
  ifMatch: number | undefined,
): Promise<ExchangeRate> {
  const before = await store.lockRate(tx, currency)
  if (!before) throw refuse('not_found')
  refuseStale(before, ifMatch)

  await store.deleteRate(tx, currency)
  await publish(tx, { type: 'ExchangeRateDeleted', currency })
  return before
}
