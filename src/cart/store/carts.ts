// Carts and their lines.

import type { Buyer } from '../../base/buyer.ts'
import type { Reader, Tx } from '../../base/db.ts'
import { timedUuid } from '../../base/random.ts'
import type { Cart, Line } from '../cart.ts'
import { type Spent, spentNothing } from '../limits.ts'

/** A cart as it stands, and what its client has bought before. */
export interface Loaded {
  cart: Cart
  spent: Spent
}

type LineTuple = [
  isModerated: boolean,
  offerId: number,
  quantity: number,
  loanConditionId: number | null,
  priceAtAddTiyin: number,
  addedAt: string,
  updatedAt: string,
  reservedUntil: string | null,
]

interface CartRow {
  id: string
  clientId: number | null
  sessionId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  expiresAt: Date | null
  lines: LineTuple[] | null
  bought: [productId: number, units: number, amountTiyin: number, isToday: boolean][] | null
  creditTiyin: number | null
}

// Lines and purchases come as arrays of values: one statement, and as little text as there can be.
const cartColumns = `cart.id, cart.client_id as "clientId", cart.session_id as "sessionId", cart.version,
  cart.created_at as "createdAt", cart.updated_at as "updatedAt", cart.expires_at as "expiresAt",
  (select json_agg(json_build_array(line.is_moderated, line.offer_id, line.quantity, line.loan_condition_id,
     line.price_at_add_tiyin, line.added_at, line.updated_at, line.reserved_until) order by line.added_at, line.offer_id)
   from cart_items line where line.cart_id = cart.id) as lines`

const boughtColumns = `
  (select json_agg(json_build_array(product_id, units, amount_tiyin, day = $2::date)) from cart_purchases
   where client_id = cart.client_id and day > $2::date - 30) as bought,
  (select outstanding_tiyin from cart_credits where client_id = cart.client_id) as "creditTiyin"`

const noneBought = `null as bought, null as "creditTiyin"`

const clientCart = `select ${cartColumns}, ${boughtColumns} from cart_carts cart where cart.client_id = $1`
const guestCart = `select ${cartColumns}, ${noneBought} from cart_carts cart where cart.session_id = $1 and cart.expires_at > $2`
const anyCart = `select ${cartColumns}, ${noneBought} from cart_carts cart where cart.id = $1 and (cart.expires_at is null or cart.expires_at > $2)`

/** The buyer's cart, if he has one that has not expired. */
export async function findCart(read: Reader, buyer: Buyer, today: string): Promise<Loaded | undefined> {
  const row =
    buyer.kind === 'client'
      ? await read.maybe<CartRow>(clientCart, [buyer.clientId, today])
      : await read.maybe<CartRow>(guestCart, [buyer.sessionId, read.now])
  return row && loadedOf(row)
}

/** What a client without a cart has bought before. */
export async function findSpent(read: Reader, buyer: Buyer, today: string): Promise<Spent> {
  if (buyer.kind === 'guest') return spentOf({ bought: null, creditTiyin: null })
  const row = await read.one<Pick<CartRow, 'bought' | 'creditTiyin'>>(
    `select ${boughtColumns} from (select $1::int8 as client_id) cart`,
    [buyer.clientId, today],
  )
  return spentOf(row)
}

/** The id of the buyer's cart, if he has one. */
export async function findCartId(read: Reader, buyer: Buyer): Promise<string | undefined> {
  const row =
    buyer.kind === 'client'
      ? await read.maybe<{ id: string }>(`select id from cart_carts where client_id = $1`, [buyer.clientId])
      : await read.maybe<{ id: string }>(`select id from cart_carts where session_id = $1`, [buyer.sessionId])
  return row?.id
}

export async function findCartById(read: Reader, id: string): Promise<Cart | undefined> {
  const row = await read.maybe<CartRow>(anyCart, [id, read.now])
  return row && loadedOf(row).cart
}

function loadedOf(row: CartRow): Loaded {
  const buyer: Buyer =
    row.clientId === null
      ? { kind: 'guest', sessionId: row.sessionId! }
      : { kind: 'client', clientId: row.clientId }
  const { id, version, createdAt, updatedAt, expiresAt } = row
  const cart = { id, buyer, version, createdAt, updatedAt, expiresAt, lines: (row.lines ?? []).map(lineOf) }
  return { cart, spent: spentOf(row) }
}

const lineOf = (it: LineTuple): Line => ({
  isModerated: it[0],
  offerId: it[1],
  quantity: it[2],
  loanConditionId: it[3],
  priceAtAddTiyin: it[4],
  addedAt: new Date(it[5]),
  updatedAt: new Date(it[6]),
  reservedUntil: it[7] === null ? null : new Date(it[7]),
})

function spentOf({ bought, creditTiyin }: Pick<CartRow, 'bought' | 'creditTiyin'>): Spent {
  if (!bought && !creditTiyin) return spentNothing
  const units = new Map<number, number>()
  let todayTiyin = 0
  for (const [productId, count, amountTiyin, isToday] of bought ?? []) {
    units.set(productId, (units.get(productId) ?? 0) + count)
    if (isToday) todayTiyin += amountTiyin
  }
  return { todayTiyin, creditTiyin: creditTiyin ?? 0, units }
}

const opening = (column: 'client_id' | 'session_id') =>
  `insert into cart_carts as cart (id, ${column}, created_at, updated_at, expires_at) values ($1, $2, $3, $3, $4)
   on conflict (${column}) do update set version = cart.version + 1, updated_at = $3, expires_at = $4
   where cart.expires_at is null or cart.expires_at > $3`
const openingForClient = opening('client_id')
const openingForGuest = opening('session_id')

/**
 * Opens the buyer's cart or takes it up, and counts it as changed. Either way its row is locked, so that of two calls
 * of one buyer the second sees all that the first has done. A cart that has expired is only locked.
 */
export function openCart(tx: Tx, buyer: Buyer, expiresAt: Date | null): void {
  const [sql, name] =
    buyer.kind === 'client' ? [openingForClient, buyer.clientId] : [openingForGuest, buyer.sessionId]
  tx.later(sql, [timedUuid(tx.now), name, tx.now, expiresAt])
}

/** Locks the buyer's cart, if he has one that has not expired, and counts it as changed. What is read after it stands. */
export function takeUpCart(tx: Tx, buyer: Buyer, expiresAt: Date | null): void {
  if (buyer.kind === 'client')
    tx.later(`update cart_carts set version = version + 1, updated_at = $2 where client_id = $1`, [
      buyer.clientId,
      tx.now,
    ])
  else
    tx.later(
      `update cart_carts set version = version + 1, updated_at = $2, expires_at = $3
       where session_id = $1 and expires_at > $2`,
      [buyer.sessionId, tx.now, expiresAt],
    )
}

/** Locks the buyer's cart, if he has one. What is read after it is what stands. */
export function lockCart(tx: Tx, buyer: Buyer): void {
  if (buyer.kind === 'client')
    tx.later(`select 1 from cart_carts where client_id = $1 for update`, [buyer.clientId])
  else tx.later(`select 1 from cart_carts where session_id = $1 for update`, [buyer.sessionId])
}

/** Removes the cart of a guest whose time is over; returns its id, or undefined when there is none. */
export const deleteExpiredCart = (tx: Tx, sessionId: string): Promise<{ id: string } | undefined> =>
  tx.maybe<{ id: string }>(`delete from cart_carts where session_id = $1 and expires_at <= $2 returning id`, [
    sessionId,
    tx.now,
  ])

/** Counts a change of a cart that is locked. */
export function touchCart(tx: Tx, cart: Cart): void {
  tx.later(`update cart_carts set version = $2, updated_at = $3, expires_at = $4 where id = $1`, [
    cart.id,
    cart.version,
    cart.updatedAt,
    cart.expiresAt,
  ])
}

export function deleteCart(tx: Tx, id: string): void {
  tx.later(`delete from cart_carts where id = $1`, [id])
}

/** Which of these clients have a cart. */
export const clientsWithCarts = async (read: Reader, clientIds: readonly number[]): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select client_id as "clientId" from cart_carts where client_id = any($1)`,
      [clientIds],
    )
  ).map((it) => it.clientId)

export const takeClientCart = (tx: Tx, clientId: number): Promise<{ id: string } | undefined> =>
  tx.maybe<{ id: string }>(`delete from cart_carts where client_id = $1 returning id`, [clientId])
