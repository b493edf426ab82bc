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

/** In months and percent. */
export interface Terms {
  duration: number
  commission: number
}

/** The plan that an order of this amount gets: with the same rounding, so that what is shown is what is charged. */
export function planOf(amount: number, prepayment: number, { duration, commission }: Terms): Plan {
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

/** `6 × 517 916.67 sum`: how often is paid, and how much at most. */
export const monthsText = (format: Format, plan: Plan): string =>
  `${plan.parts.reduce((sum, it) => sum + it.count, 0)}\u00a0×\u00a0${format.money(monthlyOf(plan))}`

/** The payments that are one tiyin smaller. With them the parts add up to the total. */
export const smallerParts = ({ parts }: Plan): Plan['parts'] => parts.slice(1)

/** One term of each length, by length: of two with the same length a buyer takes the one that costs less. */
export function bestTerms<Term>(terms: readonly Term[], of: (term: Term) => Terms): Term[] {
  const best = new Map<number, Term>()
  for (const term of terms) {
    const known = best.get(of(term).duration)
    if (!known || of(term).commission < of(known).commission) best.set(of(term).duration, term)
  }
  return [...best.values()].toSorted((a, b) => of(a).duration - of(b).duration)
}

/** What lines cost together: their down payments, and the monthly payments of each length. */
export interface JointPlan {
  prepaid: number
  months: { count: number; amount: number }[]
  total: number
}

export function jointPlan(plans: readonly Plan[]): JointPlan {
  const byLength = Map.groupBy(plans, ({ parts }) => parts.reduce((sum, it) => sum + it.count, 0))
  byLength.delete(0)
  return {
    prepaid: plans.reduce((sum, it) => sum + it.prepaid, 0),
    months: [...byLength]
      .toSorted(([a], [b]) => a - b)
      .map(([count, them]) => ({ count, amount: them.reduce((sum, it) => sum + monthlyOf(it).amount, 0) })),
    total: plans.reduce((sum, it) => sum + it.total, 0),
  }
}
