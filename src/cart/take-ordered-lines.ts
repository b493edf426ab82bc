import type { Tx } from '../base/db.ts'
import type { Cart, LineKey } from './cart.ts'
import { deleteLines } from './store/items.ts'

/** Takes lines that are being ordered out of the cart of an `orderBasket`. They were not removed: `OrdersCreated` tells of them. */
export const takeOrderedLines = (tx: Tx, cart: Cart, keys: readonly LineKey[]): void =>
  deleteLines(tx, cart.id, keys)
