import type { Buyer } from '../../base/buyer.ts'
import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { touchSharedCart } from '../store/shared-carts.ts'
import { newToken } from './create-shared-cart.ts'
import { sharedCartClosed } from './facts.ts'
import { changed, type Held, holdSharedCart, type Which } from './hold-shared-cart.ts'

/** Ends the filling of a shared cart. Its members may look at it until it expires. */
export async function closeSharedCart(tx: Tx, buyer: Buyer, which: Which): Promise<Held> {
  const held = await heldByCreator(tx, buyer, which)
  const cart = changed({ ...held.cart, closedAt: tx.now }, tx.now)
  touchSharedCart(tx, cart)
  await publish(tx, sharedCartClosed(cart.id, buyer, tx.now))
  return { ...held, cart }
}

/** Makes a new token; whoever has only the old one comes too late. */
export async function renewToken(tx: Tx, buyer: Buyer, which: Which): Promise<Held & { token: string }> {
  const held = await heldByCreator(tx, buyer, which)
  const { token, tokenHash } = newToken()
  const cart = changed({ ...held.cart, tokenHash }, tx.now)
  touchSharedCart(tx, cart)
  return { ...held, cart, token }
}

/** What only the creator may do does not exist for others. */
async function heldByCreator(tx: Tx, buyer: Buyer, which: Which): Promise<Held> {
  const held = await holdSharedCart(tx, buyer, which)
  if (held.member.place !== 0) throw refuse('not_found')
  return held
}
