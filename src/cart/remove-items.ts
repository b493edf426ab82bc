import type { Tx } from '../base/db.ts'
import { publishAll } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { type Basket, changedNow, lockedBasket } from './basket.ts'
import { type Cart, keyOf, type Line, type LineKey, lineOf } from './cart.ts'
import { itemRemoved } from './facts.ts'
import type { Shopper } from './shopper.ts'
import { touchCart } from './store/carts.ts'
import { deleteLines } from './store/items.ts'

interface Removal {
  keys: readonly LineKey[]
  ifMatch?: number | undefined
}

/** Takes an offer out of the cart; refuses when it is not in it. */
export async function removeItem(
  tx: Tx,
  shopper: Shopper,
  { key, ifMatch }: { key: LineKey; ifMatch: number | undefined },
): Promise<Basket> {
  const before = await lockedBasket(tx, shopper, { about: [], ifMatch })
  if (!before.cart || !lineOf(before.cart, key)) throw refuse('not_found')
  return withoutLines(tx, shopper, { before: before as Basket<Cart>, keys: [key] })
}

/** Takes chosen offers out of the cart. Those that are not in it are passed over. */
export async function removeItems(tx: Tx, shopper: Shopper, { keys, ifMatch }: Removal): Promise<Basket> {
  const before = await lockedBasket(tx, shopper, { about: [], ifMatch })
  return before.cart ? withoutLines(tx, shopper, { before: before as Basket<Cart>, keys }) : before
}

/** Takes lines out of a cart that is locked. */
export async function withoutLines(
  tx: Tx,
  shopper: Shopper,
  { before, keys }: { before: Basket<Cart>; keys: readonly LineKey[] },
): Promise<Basket<Cart>> {
  const chosen = new Set(keys.map(keyOf))
  const isChosen = (it: Line) => chosen.has(keyOf(it))
  const gone = before.cart.lines.filter(isChosen)
  if (gone.length === 0) return before

  const after = changedNow(before, shopper, {
    lines: before.cart.lines.filter((it) => !isChosen(it)),
    now: tx.now,
  })
  touchCart(tx, after.cart)
  deleteLines(tx, after.cart.id, gone)
  await publishAll(
    tx,
    gone.map((it) => itemRemoved(after.cart.id, it, tx.now)),
  )
  return after
}
