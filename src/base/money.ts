// Money is an integer number of tiyin; a sum is 100 tiyin. Fractions exist only on the wire.

import { refuse } from './refusal.ts'

const tiyinPerSum = 100

/** The highest allowed unit price. */
export const maxPriceTiyin = 10_000_000_000_000

/** The sum of amounts; refused when it exceeds what a JSON number represents exactly. */
export function sumTiyin(amounts: Iterable<number>): number {
  let sum = 0
  for (const amount of amounts) sum = exact(sum + amount)
  return sum
}

/** The amount of several units; refused when it is too large, like a sum. */
export const timesTiyin = (priceTiyin: number, quantity: number): number => exact(priceTiyin * quantity)

/**
 * An amount that is shown and not charged: at most the highest that a JSON number represents exactly. Prices may rise after
 * lines were added, and a cart must stay readable so that it can be made smaller.
 */
export const shownTiyin = (tiyin: number): number => Math.min(tiyin, Number.MAX_SAFE_INTEGER)

/** Sums with at most two decimals, as the cart module writes them. */
export const inSums = (tiyin: number): number => tiyin / tiyinPerSum

/** Whole sums, rounded half up, as most recommendation variants write them. */
export const inWholeSums = (tiyin: number): number => Math.floor((tiyin + tiyinPerSum / 2) / tiyinPerSum)

/** A currency in which prices are shown. */
export interface Currency {
  code: string
  /** The price of one unit. */
  tiyin: number
  /** Subunits per unit on the wire. */
  parts: number
}

export const uzs: Currency = { code: 'UZS', tiyin: tiyinPerSum, parts: tiyinPerSum }

/** A currency by its code and price; its parts are the usual subunits, such as cents. */
export const currencyOf = (code: string, tiyin: number): Currency => ({
  code,
  tiyin,
  parts:
    10 **
    new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
      .maximumFractionDigits!,
})

/** As `/v1` writes money: whole parts of the currency, tiyin for sums. */
export const asMoney = (
  tiyin: number,
  { code, tiyin: unit, parts }: Currency = uzs,
): { amount: number; currency: string } => ({
  amount: code === uzs.code ? tiyin : Math.round((tiyin * parts) / unit),
  currency: code,
})

function exact(tiyin: number): number {
  if (!Number.isSafeInteger(tiyin)) throw refuse('amount_too_large', { limit: Number.MAX_SAFE_INTEGER })
  return tiyin
}

/** An amount in the reader's currency, rounded to its decimals. */
export const inCurrency = (tiyin: number, { code, tiyin: unit, parts }: Currency): number =>
  code === uzs.code ? inSums(tiyin) : Math.round((tiyin * parts) / unit) / parts
