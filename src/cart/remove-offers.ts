import type { Tx } from '../base/db.ts'
import { type Basket, lockedBasket } from './basket.ts'
import type { Cart } from './cart.ts'
import { withoutLines } from './remove-items.ts'
import type { Terms } from './shopper.ts'

/** Takes offers out of a client's cart, except those that he added after an instant. */
export async function removeOffers(
  tx: Tx,
  terms: Terms,
  { clientId, offerIds, addedUntil }: { clientId: number; offerIds: readonly number[]; addedUntil?: Date },
): Promise<void> {
  const shopper = { buyer: { kind: 'client', clientId }, terms } as const
  const before = await lockedBasket(tx, shopper, { about: [] })
  if (!before.cart) return
  const ordered = new Set(offerIds)
  const keys = before.cart.lines.filter(
    (it) => !it.isModerated && ordered.has(it.offerId) && !(addedUntil && it.addedAt > addedUntil),
  )
  await withoutLines(tx, shopper, { before: before as Basket<Cart>, keys })
}
