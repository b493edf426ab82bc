// What a unit of foreign money costs. An operator sets the true ones.

import type { ExchangeRateRecord } from './record.ts'

// oxfmt-ignore
const sums: Record<string, number> = {
  USD: 12_650, EUR: 13_740, GBP: 16_380, RUB: 141, KZT: 24.4, CNY: 1_745, TRY: 352, AED: 3_444, KGS: 144.6, TJS: 1_160, KRW: 8.9, JPY: 84.3,
}

export const exchangeRates: ExchangeRateRecord[] = Object.entries(sums).map(([currency, it]) => ({
  record: 'exchange_rate',
  currency,
  tiyin: Math.round(it * 100),
}))
