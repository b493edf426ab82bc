import type { Tx } from '../base/db.ts'
import type { Basket } from './basket.ts'
import type { LineKey } from './cart.ts'
import { changeLine } from './change-line.ts'
import type { Shopper } from './shopper.ts'

/** Sets the condition under which a line would be paid in instalments; null clears it. */
export const changeCondition = (
  tx: Tx,
  shopper: Shopper,
  {
    key,
    loanConditionId,
    ifMatch,
  }: { key: LineKey; loanConditionId: number | null; ifMatch: number | undefined },
): Promise<Basket> =>
  changeLine(tx, shopper, { key, ifMatch, wanted: (line) => ({ ...line, loanConditionId }) })
