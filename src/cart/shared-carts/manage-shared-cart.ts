import { timingSafeEqual } from 'node:crypto'
import type { Buyer } from '../../base/buyer.ts'
import type { Config } from '../../base/config.ts'
import type { Reader, Tx } from '../../base/database.ts'
import { publish, publishAll } from '../../base/outbox.ts'
import { sha256 } from '../../base/random.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { violated } from '../carts/rules.ts'
import * as store from './store.ts'
import { sharedCartJoined, sharedCartClosed, sharedCartExpired } from './events.ts'
import { maxParticipants, type Member, memberFor, type SharedCart } from './shared-cart.ts'
import { touchSharedCart, removeExpiredSharedCarts } from './store.ts'
import type { Shopper } from '../carts/shopper.ts'
import { newToken } from './create-shared-cart.ts'
import type { Job } from '../../base/jobs.ts'

export interface MemberAccess {
  cart: SharedCart
  member: Member
}

export interface Which {
  id: string
  ifMatch?: IfMatch | undefined
}

/** A shared cart for one of its members. Refuses with `not_found` for other callers and after expiry. */
export async function findForMember(read: Reader, buyer: Buyer, id: string): Promise<MemberAccess> {
  return requireMember(await store.findSharedCart(read, id), { id, buyer })
}

/** Locks an open shared cart for a change by a member. A client named by the creator joins with the first change. */
export async function lockForMember(tx: Tx, buyer: Buyer, { id, ifMatch }: Which): Promise<MemberAccess> {
  const { cart, member } = requireMember(await store.lockSharedCart(tx, id), { id, buyer })
  refuseClosed(cart)
  requireVersion(cart, ifMatch)
  if (member.joinedAt) return { cart, member }
  return saveMember(tx, cart, { ...member, joinedAt: tx.now })
}

/** Adds a buyer who knows the token or was named by the creator. Idempotent. */
export async function joinSharedCart(
  tx: Tx,
  buyer: Buyer,
  { id, token }: { id: string; token: string | undefined },
): Promise<MemberAccess> {
  const cart = await store.lockSharedCart(tx, id)
  if (!cart) throw refuse('not_found')
  const member = memberFor(cart, buyer)
  const knowsToken = token !== undefined && timingSafeEqual(sha256(token), cart.tokenHash)
  if (!member && !knowsToken) throw refuse('not_found')
  refuseClosed(cart)
  if (member?.joinedAt) return { cart, member }
  if (!member && cart.members.length > maxParticipants)
    throw conflict('participants_full', { limit: maxParticipants })
  const place = member?.place ?? Math.max(...cart.members.map((it) => it.place)) + 1
  return saveMember(tx, cart, { place, buyer, joinedAt: tx.now })
}

function requireMember(
  cart: SharedCart | undefined,
  { id, buyer }: { id: string; buyer: Buyer },
): MemberAccess {
  const member = cart && memberFor(cart, buyer)
  if (!cart || !member) throw refuse('not_found', { resource: 'shared_cart', id })
  return { cart, member }
}

function refuseClosed({ closedAt }: SharedCart): void {
  if (closedAt) throw violated([{ code: 'shared_cart_closed', remedy: { action: 'create_shared_cart' } }])
}

async function saveMember(tx: Tx, cart: SharedCart, member: Member): Promise<MemberAccess> {
  const members = [...cart.members.filter((it) => it.place !== member.place), member].toSorted(
    (a, b) => a.place - b.place,
  )
  const after = withNewVersion({ ...cart, members }, tx.now)
  store.saveMembers(tx, cart.id, [member])
  store.touchSharedCart(tx, after)
  publish(tx, sharedCartJoined(cart.id, member.buyer, tx.now))
  return { cart: after, member }
}

/** The cart with the next version. */
export const withNewVersion = (cart: SharedCart, now: Date): SharedCart => ({
  ...cart,
  version: cart.version + 1,
  updatedAt: now,
})

/** Closes a shared cart for changes. Members may view it until it expires. */
export async function closeSharedCart(tx: Tx, buyer: Buyer, which: Which): Promise<MemberAccess> {
  const held = await lockForCreator(tx, buyer, which)
  const cart = withNewVersion({ ...held.cart, closedAt: tx.now }, tx.now)
  touchSharedCart(tx, cart)
  publish(tx, sharedCartClosed(cart.id, buyer, tx.now))
  return { ...held, cart }
}

/** Replaces the join token; the old one stops working. */
export async function renewToken(
  tx: Tx,
  { buyer, settings }: Shopper,
  which: Which,
): Promise<MemberAccess & { token: string }> {
  const held = await lockForCreator(tx, buyer, which)
  const { token, ...stored } = newToken(settings, held.cart.id)
  const cart = withNewVersion({ ...held.cart, ...stored }, tx.now)
  touchSharedCart(tx, cart)
  return { ...held, cart, token }
}

/** Refuses with `not_found` when the member is not the creator. */
async function lockForCreator(tx: Tx, buyer: Buyer, which: Which): Promise<MemberAccess> {
  const held = await lockForMember(tx, buyer, which)
  if (held.member.place !== 0) throw refuse('not_found')
  return held
}

const batchRows = 1_000

export const sharedCartJobs = ({ cartCleanupEnabled }: Pick<Config, 'cartCleanupEnabled'>): Job[] => [
  {
    name: 'expire-shared-carts',
    cron: '0 20 * * * ?',
    isEnabled: cartCleanupEnabled,
    description: 'Removes expired shared carts. They cannot be opened even before they are removed.',
    run: async (work) => {
      for (let total = 0; ;) {
        const count = await work.transaction(async (tx) => {
          const removed = await removeExpiredSharedCarts(tx, batchRows)
          publishAll(
            tx,
            removed.map((id) => sharedCartExpired(id, tx.now)),
          )
          return removed.length
        })
        total += count
        if (count < batchRows) return `removed ${total} shared carts`
      }
    },
  },
]
