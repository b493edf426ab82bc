import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { cartRemoved } from './facts.ts'
import { takeClientCart } from './store/carts.ts'

/** Takes a client's cart away after an order was made of it (SPEC-2 6.3). */
export async function removeCart(tx: Tx, clientId: number): Promise<void> {
  const taken = await takeClientCart(tx, clientId)
  if (taken) await publish(tx, cartRemoved(taken.id, 'ordered', tx.now))
}
