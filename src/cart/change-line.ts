import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { type Basket, changedNow, lockedBasket } from './basket.ts'
import { type Cart, type Line, type LineKey, lineOf, withLine } from './cart.ts'
import { itemChanged } from './facts.ts'
import { entryOf } from './purchase.ts'
import { reservedUntil } from './reservation.ts'
import { brokenRules, refuseIf } from './rules.ts'
import type { Shopper } from './shopper.ts'
import { touchCart } from './store/carts.ts'
import { saveLine } from './store/items.ts'

interface Change {
  key: LineKey
  ifMatch: number | undefined
  /** The line as it is wanted. */
  wanted(line: Line): Line
}

/** Changes a line that is in the cart. A line that is as it was wanted counts as no change. */
export async function changeLine(
  tx: Tx,
  shopper: Shopper,
  { key, ifMatch, wanted }: Change,
): Promise<Basket> {
  const found = await lockedBasket(tx, shopper, { about: [key], ifMatch })
  const held = found.cart && lineOf(found.cart, key)
  if (!held) throw refuse('not_found')
  const before = found as Basket<Cart>
  const line = wanted(held)
  if (line.quantity === held.quantity && line.loanConditionId === held.loanConditionId) return before

  const lines = withLine(before.cart.lines, { ...line, updatedAt: tx.now })
  const after = changedNow(before, shopper, { lines, now: tx.now })
  const entry = entryOf(after.purchase, key)!
  const hasGrown = line.quantity > held.quantity || line.loanConditionId !== held.loanConditionId
  refuseIf(brokenRules(after.purchase, { entries: [entry], grown: hasGrown ? [entry] : [] }))
  if (line.quantity > held.quantity)
    entry.line.reservedUntil = reservedUntil(entry, {
      buyer: shopper.buyer,
      lines: after.cart.lines,
      now: tx.now,
    })

  touchCart(tx, after.cart)
  saveLine(tx, after.cart.id, entry.line)
  await publish(tx, itemChanged(after.cart.id, entry.line, tx.now))
  return after
}
