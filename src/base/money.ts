// Money is a whole count of tiyin; a sum has a hundred. Fractions exist only on the wire.

import { refuse } from './refusal.ts'

const tiyinPerSum = 100

/** The dearest unit price a shop may ask. */
export const maxPriceTiyin = 10_000_000_000_000

/** The sum of amounts; refused when it would pass what a JSON number carries exactly. */
export function sumTiyin(amounts: Iterable<number>): number {
  let sum = 0
  for (const amount of amounts) sum = exact(sum + amount)
  return sum
}

/** The amount of several units; refused like a sum. */
export const timesTiyin = (priceTiyin: number, quantity: number): number => exact(priceTiyin * quantity)

/** Sums with at most two decimals, as the cart module writes them. */
export const inSums = (tiyin: number): number => tiyin / tiyinPerSum

/** Whole sums, rounded half up, as most recommendation variants write them. */
export const inWholeSums = (tiyin: number): number => Math.floor((tiyin + tiyinPerSum / 2) / tiyinPerSum)

/** A currency in which prices are shown. */
export interface Currency {
  code: string
  /** What one unit costs. */
  tiyin: number
  /** Into how many parts a unit is divided on the wire. */
  parts: number
}

export const uzs: Currency = { code: 'UZS', tiyin: tiyinPerSum, parts: tiyinPerSum }

/** A currency by its code and what it costs; its parts are those of everyday use, cents for dollars. */
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
