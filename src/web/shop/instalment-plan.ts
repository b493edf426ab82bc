// What a purchase in instalments costs, with the down payment that the offer asks for: all its parts, where the API gives
// the largest monthly payment.

import type { Format } from './format.ts'

/** Amounts are in tiyin. */
export interface Plan {
  /** Paid at once. */
  prepaid: number
  /** The monthly payments, the larger ones first; they differ by one tiyin at most. */
  parts: { count: number; amount: number }[]
  /** Everything together. */
  total: number
}

/** The plan that an order of this amount gets: with the same rounding, so that what is shown is what is charged. */
export function planOf(
  amount: number,
  prepayment: number,
  { duration, commission }: { duration: number; commission: number },
): Plan {
  const prepaid = Math.min(prepayment, amount)
  const repaid = Math.ceil(((amount - prepaid) * (100 + commission)) / 100)
  const larger = repaid % duration
  const each = Math.floor(repaid / duration)
  const parts = [
    { count: larger, amount: each + 1 },
    { count: duration - larger, amount: each },
  ]
  return { prepaid, parts: parts.filter((it) => it.count * it.amount > 0), total: prepaid + repaid }
}

/** What a month costs at most. */
export const monthlyOf = ({ parts }: Plan): { amount: number } => ({ amount: parts[0]?.amount ?? 0 })

/** Parts that add up to the total. */
export const partsText = (format: Format, { parts }: Plan): string =>
  parts.map((it) => `${it.count}\u00a0×\u00a0${format.money(it)}`).join(' + ')
