// Returns of delivered units.

import { sumTiyin } from '../../base/money.ts'
import type { LineUnits } from '../fulfilment/fulfilment.ts'

export type ReturnStatus = 'requested' | 'received' | 'rejected'

/** The paid commission for returned units. */
export interface ReturnedCommission {
  tiyin: number
  /** False when the units came back too late: the loan was used until then. */
  isRefunded: boolean
}

/** Units of a line that come back. Without a discount they cost their price, and no amount is stored. */
export interface ReturnedLine extends LineUnits {
  amountTiyin?: number
}

export interface Return {
  id: string
  status: ReturnStatus
  lines: ReturnedLine[]
  reason: string
  amountTiyin: number
  /** Whether its units went back into stock. */
  isRestocked: boolean
  /** Null until it is received, and for orders without commission. */
  commission: ReturnedCommission | null
  requestedAt: Date
  decidedAt: Date | null
}

/** The price of the units in received returns. */
export const returnedTiyin = (returns: readonly Return[]): number =>
  sumTiyin(returns.filter((it) => it.status === 'received').map((it) => it.amountTiyin))

/** Units by line in returns with these statuses. */
export function returnedUnits(
  returns: readonly Return[],
  statuses: readonly ReturnStatus[],
): Map<number, number> {
  const units = new Map<number, number>()
  for (const it of returns.filter(({ status }) => statuses.includes(status)))
    for (const { line, quantity } of it.lines) units.set(line, (units.get(line) ?? 0) + quantity)
  return units
}
