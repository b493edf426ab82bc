// Changes and removal of cart lines.

import type { Tx } from '../../base/database.ts'
import { publish, publishAll, publishedAfter } from '../../base/outbox.ts'
import {
  type Cart,
  findLine,
  hasSameChoices,
  keyOf,
  type Line,
  type LineChange,
  type LineKey,
  lineOf,
  type PricedCart,
  replaceLine,
  reservedUntil,
} from './cart.ts'
import { cartCleared, cartRemoved, itemChanged, itemRemoved } from './events.ts'
import { changedCart, lockCart } from './load-cart.ts'
import { brokenRules, refuseIf, offerNotFound } from './rules.ts'
import type { CartSettings, Shopper } from './shopper.ts'
import { deleteAllLines, deleteClientCart, deleteLines, saveLine, touchCart } from './store.ts'
import type { IfMatch } from '../../http/version.ts'

/** Changes a line. A change that leaves it as it was changes nothing, the version included. */
export async function changeLine(
  tx: Tx,
  shopper: Shopper,
  { key, change, ifMatch }: { key: LineKey; change: LineChange; ifMatch: IfMatch | undefined },
): Promise<PricedCart<Cart>> {
  const found = await lockCart(tx, shopper, { about: [key], ifMatch })
  const held = found.cart && lineOf(found.cart, key)
  if (!held) throw offerNotFound(key, { place: 'cart' })
  const before = found as PricedCart<Cart>
  const line = { ...held, ...change }
  if (line.quantity === held.quantity && hasSameChoices(line, held)) return before

  const lines = replaceLine(before.cart.lines, { ...line, updatedAt: tx.now })
  const after = changedCart(before, shopper, { lines, now: tx.now })
  const priced = findLine(after, key)!
  // A cart may always be made smaller: fewer units, or no loan condition.
  const hasNewCondition = line.loanConditionId !== null && line.loanConditionId !== held.loanConditionId
  if (line.quantity > held.quantity || hasNewCondition)
    refuseIf(brokenRules(after, { changed: [priced], grown: [priced] }))
  if (line.quantity > held.quantity)
    priced.line.reservedUntil = reservedUntil(priced, {
      buyer: shopper.buyer,
      lines: after.cart.lines,
      now: tx.now,
    })

  touchCart(tx, after.cart)
  saveLine(tx, after.cart.id, priced.line)
  publish(tx, itemChanged(after.cart.id, { line: priced.line, held }, tx.now))
  return after
}

/** Removes all lines, those of moderated offers too. */
export async function clearCart(
  tx: Tx,
  shopper: Shopper,
  { ifMatch }: { ifMatch: IfMatch | undefined },
): Promise<PricedCart> {
  const before = await lockCart(tx, shopper, { about: [], ifMatch })
  if (!before.cart || before.cart.lines.length === 0) return before
  const after = changedCart(before as PricedCart<Cart>, shopper, { lines: [], now: tx.now })
  touchCart(tx, after.cart)
  deleteAllLines(tx, after.cart.id)
  publish(tx, cartCleared(after.cart.id, tx.now))
  return after
}

/** Removes an offer; refuses when it is not in the cart. */
export async function removeItem(
  tx: Tx,
  shopper: Shopper,
  { key, ifMatch }: { key: LineKey; ifMatch: IfMatch | undefined },
): Promise<PricedCart> {
  const before = await lockCart(tx, shopper, { about: [], ifMatch })
  if (!before.cart || !lineOf(before.cart, key)) throw offerNotFound(key, { place: 'cart' })
  return removeLines(tx, shopper, { before: before as PricedCart<Cart>, keys: [key] })
}

/** Removes chosen offers; those that are not in the cart are ignored. */
export async function removeItems(
  tx: Tx,
  shopper: Shopper,
  { keys, ifMatch }: { keys: readonly LineKey[]; ifMatch?: IfMatch | undefined },
): Promise<PricedCart> {
  const before = await lockCart(tx, shopper, { about: [], ifMatch })
  return before.cart ? removeLines(tx, shopper, { before: before as PricedCart<Cart>, keys }) : before
}

/** Removes offers from a client's cart, except those that were added after an instant. */
export async function removeOffers(
  tx: Tx,
  settings: CartSettings,
  { clientId, offerIds, addedUntil }: { clientId: number; offerIds: readonly number[]; addedUntil?: Date },
): Promise<void> {
  const shopper = { buyer: { kind: 'client', clientId }, settings } as const
  const before = await lockCart(tx, shopper, { about: [] })
  if (!before.cart) return
  const ordered = new Set(offerIds)
  const lines = before.cart.lines.filter(
    (it) => !it.isModerated && ordered.has(it.offerId) && !(addedUntil && it.addedAt > addedUntil),
  )
  const added = addedUntil ? await unitsAddedAfter(tx, before.cart.id, addedUntil) : new Map<number, number>()
  const addedTo = (it: Line) => added.get(it.offerId) ?? 0
  const after = await removeLines(tx, shopper, {
    before: before as PricedCart<Cart>,
    keys: lines.filter((it) => addedTo(it) === 0),
  })
  const reduced = lines
    .filter((it) => addedTo(it) > 0 && addedTo(it) < it.quantity)
    .map((held) => ({ held, line: { ...held, quantity: addedTo(held), updatedAt: tx.now } }))
  reduceLines(tx, shopper, { before: after, reduced })
}

/** Units by offer that were added to a cart after an instant, by adding the offer again or by raising its quantity. */
async function unitsAddedAfter(tx: Tx, cartId: string, at: Date): Promise<Map<number, number>> {
  const after = { subject: `cart/${cartId}`, at }
  const units = new Map<number, number>()
  const count = (offerId: number, added: number) => units.set(offerId, (units.get(offerId) ?? 0) + added)
  for (const { offerId, quantity } of await publishedAfter(tx, 'ItemAddedToCart', after))
    count(offerId, quantity)
  for (const { offerId, quantity, previousQuantity } of await publishedAfter(tx, 'CartItemChanged', after))
    if (offerId !== null && previousQuantity !== undefined)
      count(offerId, Math.max(0, quantity - previousQuantity))
  return units
}

function reduceLines(
  tx: Tx,
  shopper: Shopper,
  { before, reduced }: { before: PricedCart<Cart>; reduced: readonly { held: Line; line: Line }[] },
): void {
  if (reduced.length === 0) return
  const lines = reduced.reduce<Line[]>((so, { line }) => replaceLine(so, line), before.cart.lines)
  const after = changedCart(before, shopper, { lines, now: tx.now })
  touchCart(tx, after.cart)
  for (const { line } of reduced) saveLine(tx, after.cart.id, line)
  publishAll(
    tx,
    reduced.map((it) => itemChanged(after.cart.id, it, tx.now)),
  )
}

async function removeLines(
  tx: Tx,
  shopper: Shopper,
  { before, keys }: { before: PricedCart<Cart>; keys: readonly LineKey[] },
): Promise<PricedCart<Cart>> {
  const chosen = new Set(keys.map(keyOf))
  const isChosen = (it: Line) => chosen.has(keyOf(it))
  const removed = before.cart.lines.filter(isChosen)
  if (removed.length === 0) return before

  const after = changedCart(before, shopper, {
    lines: before.cart.lines.filter((it) => !isChosen(it)),
    now: tx.now,
  })
  touchCart(tx, after.cart)
  deleteLines(tx, after.cart.id, removed)
  publishAll(
    tx,
    removed.map((it) => itemRemoved(after.cart.id, it, tx.now)),
  )
  return after
}

/** Removes lines that are being ordered from the cart of `lockCartForOrder`. `OrdersCreated` is their event. */
export const removeOrderedLines = (tx: Tx, cart: Cart, keys: readonly LineKey[]): void =>
  deleteLines(tx, cart.id, keys)

/** Removes a client's cart after it was ordered elsewhere (SPEC-2 6.3). */
export async function removeCart(tx: Tx, clientId: number): Promise<void> {
  const removed = await deleteClientCart(tx, clientId)
  if (removed) publish(tx, cartRemoved(removed.id, 'ordered', tx.now))
}
