import type { Tx } from '../base/db.ts'
import type { Basket } from './basket.ts'
import type { LineKey } from './cart.ts'
import { changeLine } from './change-line.ts'
import type { Shopper } from './shopper.ts'

/** Sets how many units of an offer the cart holds. */
export const changeQuantity = (
  tx: Tx,
  shopper: Shopper,
  { key, quantity, ifMatch }: { key: LineKey; quantity: number; ifMatch: number | undefined },
): Promise<Basket> => changeLine(tx, shopper, { key, ifMatch, wanted: (line) => ({ ...line, quantity }) })
