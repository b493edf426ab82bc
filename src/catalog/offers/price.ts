// Discounts, loan conditions and monthly payments of a price.

import type { LoanCondition } from '../entities/entities.ts'

/** The old price if the discount is at least one percent, else null. */
export const validOldPrice = (priceTiyin: number, oldPriceTiyin: number | null): number | null =>
  oldPriceTiyin !== null && (oldPriceTiyin - priceTiyin) * 100 >= oldPriceTiyin ? oldPriceTiyin : null

/** The discount in percent, below zero; null without a valid old price. */
export function discountPercent(priceTiyin: number, oldPriceTiyin: number | null): number | null {
  const old = validOldPrice(priceTiyin, oldPriceTiyin)
  return old === null ? null : -Math.round((100 * (old - priceTiyin)) / old)
}

type Terms = Pick<LoanCondition, 'id' | 'duration' | 'commission'>

/** The longest first, then the cheaper, then the older. */
export const bestConditionsFirst = <C extends Terms>(conditions: readonly C[]): C[] =>
  conditions.toSorted((a, b) => b.duration - a.duration || a.commission - b.commission || a.id - b.id)

/** The monthly payment in tiyin, rounded up. */
export const monthlyTiyin = (amountTiyin: number, { duration, commission }: Omit<Terms, 'id'>): number =>
  Number(
    (BigInt(amountTiyin) * BigInt(100 + commission) + BigInt(100 * duration - 1)) / BigInt(100 * duration),
  )

/** What an order repays in monthly payments: the amount without the down payment, which is due at once. */
export const financedTiyin = (amountTiyin: number, downPaymentTiyin: number | null): number =>
  amountTiyin - Math.min(downPaymentTiyin ?? 0, amountTiyin)
