// What other currencies cost, as an operator keeps it. Shown prices follow it; orders are charged in sums.

export interface ExchangeRate {
  currency: string
  /** What one unit of the currency costs. */
  tiyin: number
  version: number
  createdAt: Date
  updatedAt: Date
}

/** Three letters that the machine knows as a currency; sums need no rate. */
export const isForeignCurrency = (code: string): boolean =>
  code !== 'UZS' && Intl.supportedValuesOf('currency').includes(code)
