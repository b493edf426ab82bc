// What a purchase in instalments costs, with the down payment that the offer asks for. The API gives the monthly payment
// without it.

export interface Plan {
  /** Paid at once. */
  prepaid: number
  monthly: number
  /** Everything together. */
  total: number
}

/** Amounts are in one unit, sums or tiyin. */
export function planOf(
  amount: number,
  prepayment: number,
  { duration, commission }: { duration: number; commission: number },
): Plan {
  const prepaid = Math.min(prepayment, amount)
  const repaid = ((amount - prepaid) * (100 + commission)) / 100
  return { prepaid, monthly: repaid / duration, total: prepaid + repaid }
}
