import { timingSafeEqual } from 'node:crypto'
import type { Buyer } from '../../base/buyer.ts'
import type { Reader, Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { sha256 } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import { refuseStale } from '../../http/version.ts'
import { violated } from '../rules.ts'
import * as store from '../store/shared-carts.ts'
import { sharedCartJoined } from './facts.ts'
import { maxParticipants, type Member, memberFor, type SharedCart } from './shared-cart.ts'

export interface Held {
  cart: SharedCart
  member: Member
}

export interface Which {
  id: string
  ifMatch?: number | undefined
}

/** A shared cart for one of its members. To everybody else, and after its time, there is none. */
export async function sharedCartOf(read: Reader, buyer: Buyer, id: string): Promise<Held> {
  return belonging(await store.findSharedCart(read, id), buyer)
}

/** The same under its lock, open and to be changed. Whoever was only named has joined by it. */
export async function holdSharedCart(tx: Tx, buyer: Buyer, { id, ifMatch }: Which): Promise<Held> {
  const { cart, member } = belonging(await store.lockedSharedCart(tx, id), buyer)
  refuseClosed(cart)
  refuseStale(cart, ifMatch)
  if (member.joinedAt) return { cart, member }
  return admitted(tx, cart, { ...member, joinedAt: tx.now })
}

/** Lets a buyer in who knows the token or was named by the creator. Joining twice is joining once. */
export async function joinSharedCart(
  tx: Tx,
  buyer: Buyer,
  { id, token }: { id: string; token: string | undefined },
): Promise<Held> {
  const cart = await store.lockedSharedCart(tx, id)
  if (!cart) throw refuse('not_found')
  const member = memberFor(cart, buyer)
  const knowsToken = token !== undefined && timingSafeEqual(sha256(token), cart.tokenHash)
  if (!member && !knowsToken) throw refuse('not_found')
  refuseClosed(cart)
  if (member?.joinedAt) return { cart, member }
  if (!member && cart.members.length > maxParticipants)
    throw refuse('conflict', { reason: 'participants_full', limit: maxParticipants })
  const place = member?.place ?? Math.max(...cart.members.map((it) => it.place)) + 1
  return admitted(tx, cart, { place, buyer, joinedAt: tx.now })
}

function belonging(cart: SharedCart | undefined, buyer: Buyer): Held {
  const member = cart && memberFor(cart, buyer)
  if (!cart || !member) throw refuse('not_found')
  return { cart, member }
}

function refuseClosed({ closedAt }: SharedCart): void {
  if (closedAt) throw violated([{ code: 'shared_cart_closed', remedy: { action: 'create_shared_cart' } }])
}

async function admitted(tx: Tx, cart: SharedCart, member: Member): Promise<Held> {
  const members = [...cart.members.filter((it) => it.place !== member.place), member].toSorted(
    (a, b) => a.place - b.place,
  )
  const after = changed({ ...cart, members }, tx.now)
  store.saveMembers(tx, cart.id, [member])
  store.touchSharedCart(tx, after)
  await publish(tx, sharedCartJoined(cart.id, member.buyer, tx.now))
  return { cart: after, member }
}

/** The cart, counted as changed. */
export const changed = (cart: SharedCart, now: Date): SharedCart => ({
  ...cart,
  version: cart.version + 1,
  updatedAt: now,
})
