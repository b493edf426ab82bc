import type { Reader, Tx } from '../../base/database.ts'

export interface ExchangeRate {
  currency: string
  /** What one unit of the currency costs. */
  tiyin: number
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = `currency, tiyin, version, created_at as "createdAt", updated_at as "updatedAt"`

export const listRates = (read: Reader): Promise<ExchangeRate[]> =>
  read.all<ExchangeRate>(`select ${columns} from catalog_exchange_rates order by currency`)

export const lockRate = (tx: Tx, currency: string): Promise<ExchangeRate | undefined> =>
  tx.maybe<ExchangeRate>(`select ${columns} from catalog_exchange_rates where currency = $1 for update`, [
    currency,
  ])

export const upsertRate = (tx: Tx, currency: string, tiyin: number): Promise<ExchangeRate> =>
  tx.one<ExchangeRate>(
    `insert into catalog_exchange_rates as rate (currency, tiyin, created_at, updated_at) values ($1, $2, $3, $3)
     on conflict (currency) do update set tiyin = excluded.tiyin, version = rate.version + 1, updated_at = excluded.updated_at
     returning ${columns}`,
    [currency, tiyin, tx.now],
  )

export const deleteRate = async (tx: Tx, currency: string): Promise<void> => {
  await tx.all(`delete from catalog_exchange_rates where currency = $1`, [currency])
}
