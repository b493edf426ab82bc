// Units that come back after delivery.

import { sumTiyin } from '../base/money.ts'
import type { LineUnits } from './fulfilment.ts'

export type ReturnStatus = 'requested' | 'received' | 'rejected'

export interface Return {
  id: string
  status: ReturnStatus
  lines: LineUnits[]
  reason: string
  amountTiyin: number
  /** Whether its units went back to the shelf. */
  isRestocked: boolean
  requestedAt: Date
  decidedAt: Date | null
}

/** What the units that came back had cost. */
export const returnedTiyin = (returns: readonly Return[]): number =>
  sumTiyin(returns.filter((it) => it.status === 'received').map((it) => it.amountTiyin))

/** Units by line that came back, or are about to. */
export function returnedUnits(
  returns: readonly Return[],
  statuses: readonly ReturnStatus[],
): Map<number, number> {
  const units = new Map<number, number>()
  for (const it of returns.filter(({ status }) => statuses.includes(status)))
    for (const { line, quantity } of it.lines) units.set(line, (units.get(line) ?? 0) + quantity)
  return units
}
