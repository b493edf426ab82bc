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

/** As `/v1` writes money. */
export const asMoney = (tiyin: number, currency = 'UZS'): { amount: number; currency: string } => ({
  amount: tiyin,
  currency,
})

function exact(tiyin: number): number {
  if (!Number.isSafeInteger(tiyin)) throw refuse('amount_too_large', { limit: Number.MAX_SAFE_INTEGER })
  return tiyin
}
