// Carts and their lines.

import type { Buyer } from '../../base/buyer.ts'
import type { Reader, Tx } from '../../base/database.ts'
import { timedUuid } from '../../base/random.ts'
import { readLocked } from '../../base/read-locked.ts'
import { type Cart, type Line, keyOf, type LineKey, maxUnitsPerLine, noChoices } from './cart.ts'
import { type Spent, spentNothing } from '../limits/limits.ts'

/** A cart, and what its client has bought before. */
export interface LoadedCart {
  /** Of the cart. */
  id: string
  cart: Cart
  spent: Spent
}

const lineFields = Object.keys({
  isModerated: true,
  offerId: true,
  quantity: true,
  ...noChoices,
  priceAtAddTiyin: true,
  addedAt: true,
  updatedAt: true,
  reservedUntil: true,
} satisfies Record<keyof Line, unknown>) as (keyof Line)[]

/** The column of a field has the same name: `offer_id` for `offerId`. */
const columnOf = (field: keyof Line): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const lineColumns = lineFields.map(columnOf)

type Instants = 'addedAt' | 'updatedAt' | 'reservedUntil'
type LineRow = Omit<Line, Instants> & Record<Instants, string | null>

interface CartRow {
  id: string
  clientId: number | null
  sessionId: string | null
  applicationId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  expiresAt: Date | null
  couponId: number | null
  /** Values in the order of `lineFields`. */
  lines: unknown[][] | null
  bought: { productId: number; units: number; amountTiyin: number; isToday: boolean }[] | null
  creditTiyin: number | null
}

// Lines come as arrays of values: a third less text to write and to parse than objects.
const cartColumns = `cart.id, cart.client_id as "clientId", cart.session_id as "sessionId",
  cart.application_id as "applicationId", cart.version,
  cart.created_at as "createdAt", cart.updated_at as "updatedAt", cart.expires_at as "expiresAt", cart.coupon_id as "couponId",
  (select json_agg(json_build_array(${lineColumns.map((it) => `line.${it}`).join(', ')}) order by line.added_at, line.offer_id, line.is_moderated)
   from cart_items line where line.cart_id = cart.id) as lines`

const boughtColumns = `
  (select json_agg(json_build_object('productId', product_id, 'units', units, 'amountTiyin', amount_tiyin,
     'isToday', day = $2::date)) from cart_purchases
   where client_id = cart.client_id and day > $2::date - 30) as bought,
  (select outstanding_tiyin from cart_credits where client_id = cart.client_id) as "creditTiyin"`

const noneBought = `null as bought, null as "creditTiyin"`

const clientCart = `select ${cartColumns}, ${boughtColumns} from cart_carts cart where cart.client_id = $1`
const guestCart = `select ${cartColumns}, ${noneBought} from cart_carts cart where cart.session_id = $1 and cart.expires_at > $2`
const anyCart = `select ${cartColumns}, ${noneBought} from cart_carts cart where cart.id = $1 and (cart.expires_at is null or cart.expires_at > $2)`

/** The buyer's cart, if there is one that has not expired. */
export async function findCart(read: Reader, buyer: Buyer, today: string): Promise<LoadedCart | undefined> {
  const row =
    buyer.kind === 'client'
      ? await read.maybe<CartRow>(clientCart, [buyer.clientId, today])
      : await read.maybe<CartRow>(guestCart, [buyer.sessionId, read.now])
  return row && loadedOf(row, read.now)
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

/** The id of the buyer's cart, if there is one. */
export async function findCartId(read: Reader, buyer: Buyer): Promise<string | undefined> {
  const row =
    buyer.kind === 'client'
      ? await read.maybe<{ id: string }>(`select id from cart_carts where client_id = $1`, [buyer.clientId])
      : await read.maybe<{ id: string }>(`select id from cart_carts where session_id = $1`, [buyer.sessionId])
  return row?.id
}

export async function findCartById(read: Reader, id: string): Promise<Cart | undefined> {
  const row = await read.maybe<CartRow>(anyCart, [id, read.now])
  return row && loadedOf(row, read.now).cart
}

function loadedOf(row: CartRow, now: Date): LoadedCart {
  const buyer: Buyer =
    row.clientId === null
      ? { kind: 'guest', sessionId: row.sessionId! }
      : { kind: 'client', clientId: row.clientId }
  const { id, applicationId, version, createdAt, updatedAt, expiresAt, couponId } = row
  const lines = (row.lines ?? []).map((it) => lineFrom(it, now))
  const cart = { id, buyer, applicationId, version, createdAt, updatedAt, expiresAt, couponId, lines }
  return { id, cart, spent: spentOf(row) }
}

/** A reservation that has ended is left out; a job clears its column later. */
function lineFrom(values: readonly unknown[], now: Date): Line {
  const row = Object.fromEntries(lineFields.map((field, at) => [field, values[at]])) as unknown as LineRow
  const until = row.reservedUntil === null ? null : new Date(row.reservedUntil)
  return {
    ...row,
    addedAt: new Date(row.addedAt!),
    updatedAt: new Date(row.updatedAt!),
    reservedUntil: until && until > now ? until : null,
  }
}

function spentOf({ bought, creditTiyin }: Pick<CartRow, 'bought' | 'creditTiyin'>): Spent {
  if (!bought && !creditTiyin) return spentNothing
  const units = new Map<number, number>()
  let todayTiyin = 0
  for (const it of bought ?? []) {
    units.set(it.productId, (units.get(it.productId) ?? 0) + it.units)
    if (it.isToday) todayTiyin += it.amountTiyin
  }
  return { todayTiyin, creditTiyin: creditTiyin ?? 0, units }
}

const insertOrTouch = (column: 'client_id' | 'session_id') =>
  `insert into cart_carts as cart (id, ${column}, created_at, updated_at, expires_at, application_id)
   values ($1, $2, $3, $3, $4, $5)
   on conflict (${column}) do update set version = cart.version + 1, updated_at = $3, expires_at = $4
   where cart.expires_at is null or cart.expires_at > $3`
const insertOrTouchForClient = insertOrTouch('client_id')
const insertOrTouchForGuest = insertOrTouch('session_id')

/**
 * Creates the buyer's cart, or counts it as changed. Either way its row is locked: of two calls of one buyer, the second
 * sees what the first has done. A cart that has expired is only locked.
 */
export function insertOrTouchCart(
  tx: Tx,
  buyer: Buyer,
  { expiresAt, applicationId = null }: { expiresAt: Date | null; applicationId?: string | null | undefined },
): void {
  const [sql, name] =
    buyer.kind === 'client'
      ? [insertOrTouchForClient, buyer.clientId]
      : [insertOrTouchForGuest, buyer.sessionId]
  tx.later(sql, [timedUuid(tx.now), name, tx.now, expiresAt, applicationId])
}

const touchForClient = `update cart_carts set version = version + 1, updated_at = $2 where client_id = $1 returning id`
const touchForGuest = `update cart_carts set version = version + 1, updated_at = $2, expires_at = $3
  where session_id = $1 and expires_at > $2 returning id`
const lockForClient = `select id from cart_carts where client_id = $1 for update`
const lockForGuest = `select id from cart_carts where session_id = $1 for update`

/** The buyer's cart, locked and counted as changed, if it exists and has not expired. */
export const lockAndTouchCart = (
  tx: Tx,
  buyer: Buyer,
  { today, expiresAt }: { today: string; expiresAt: Date | null },
): Promise<LoadedCart | undefined> =>
  readLocked(tx, {
    lock: () =>
      buyer.kind === 'client'
        ? tx.maybe(touchForClient, [buyer.clientId, tx.now])
        : tx.maybe(touchForGuest, [buyer.sessionId, tx.now, expiresAt]),
    read: () => findCart(tx, buyer, today),
  })

/** The buyer's cart, locked, if it exists and has not expired. */
export const lockCart = (tx: Tx, buyer: Buyer, today: string): Promise<LoadedCart | undefined> =>
  readLocked(tx, {
    lock: () =>
      buyer.kind === 'client'
        ? tx.maybe(lockForClient, [buyer.clientId])
        : tx.maybe(lockForGuest, [buyer.sessionId]),
    read: () => findCart(tx, buyer, today),
  })

/** Deletes a guest's cart that has expired; returns its id, or undefined when there is none. */
export const deleteExpiredCart = (tx: Tx, sessionId: string): Promise<{ id: string } | undefined> =>
  tx.maybe<{ id: string }>(`delete from cart_carts where session_id = $1 and expires_at <= $2 returning id`, [
    sessionId,
    tx.now,
  ])

/** Saves version and times of a cart that is locked. */
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

export const deleteClientCart = (tx: Tx, clientId: number): Promise<{ id: string } | undefined> =>
  tx.maybe<{ id: string }>(`delete from cart_carts where client_id = $1 returning id`, [clientId])

/** Inserts or updates a line. */
export function saveLine(tx: Tx, cartId: string, it: Line): void {
  tx.later(upsertLine, [cartId, ...lineFields.map((field) => it[field])])
}

/** What identifies a line, and when it was added, never changes. */
const fixedFields = new Set<keyof Line>(['isModerated', 'offerId', 'addedAt'])
const upsertLine = `insert into cart_items (cart_id, ${lineColumns.join(', ')})
  values ($1, ${lineFields.map((_, at) => `$${at + 2}`).join(', ')})
  on conflict (cart_id, is_moderated, offer_id) do update set ${lineFields
    .flatMap((field, at) => (fixedFields.has(field) ? [] : [`${lineColumns[at]} = $${at + 2}`]))
    .join(', ')}`

const copiedValues: Partial<Record<keyof Line, string>> = { updatedAt: '$3', reservedUntil: 'null' }
const copyAll = `insert into cart_items as kept (cart_id, ${lineColumns.join(', ')})
  select $2, ${lineFields.map((field) => copiedValues[field] ?? columnOf(field)).join(', ')}
  from cart_items where cart_id = $1 order by is_moderated, offer_id
  on conflict (cart_id, is_moderated, offer_id) do update
  set quantity = least(kept.quantity + excluded.quantity, ${maxUnitsPerLine}), updated_at = excluded.updated_at`

/** Adds the lines of a cart to another one, without their reservations. Both are locked. */
export const copyLines = (tx: Tx, { from, into }: { from: string; into: string }): Promise<unknown> =>
  tx.all(copyAll, [from, into, tx.now])

/** No join with the list: it would be planned again for every cart, which costs four times the deletion. */
export function deleteLines(tx: Tx, cartId: string, keys: readonly LineKey[]): void {
  const idsOf = (isModerated: boolean) =>
    keys.filter((it) => it.isModerated === isModerated).map((it) => it.offerId)
  tx.later(
    `delete from cart_items where cart_id = $1 and offer_id = any(case when is_moderated then $3::int8[] else $2::int8[] end)`,
    [cartId, idsOf(false), idsOf(true)],
  )
}

export function deleteAllLines(tx: Tx, cartId: string): void {
  tx.later(`delete from cart_items where cart_id = $1`, [cartId])
}

/** Locks the reservations of these offers, always in the same order, so that two calls never deadlock. */
export function lockReservations(tx: Tx, keys: readonly LineKey[]): void {
  const sorted = keys.toSorted(
    (a, b) => a.offerId - b.offerId || Number(a.isModerated) - Number(b.isModerated),
  )
  const values = [sorted.map((it) => it.offerId), sorted.map((it) => it.isModerated)]
  tx.later(
    `insert into cart_reserved_offers (offer_id, is_moderated)
     select offer_id, is_moderated from unnest($1::int8[], $2::bool[]) as wanted (offer_id, is_moderated)
     order by offer_id, is_moderated on conflict do nothing`,
    values,
  )
  tx.later(
    `select 1 from cart_reserved_offers where (offer_id, is_moderated) in (
       select offer_id, is_moderated from unnest($1::int8[], $2::bool[]) as wanted (offer_id, is_moderated))
     order by offer_id, is_moderated for update`,
    values,
  )
}

/** Units that other carts have reserved now, by `keyOf` their offer. */
export async function reservedByOthers(
  read: Reader,
  keys: readonly LineKey[],
  cartIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await read.all<LineKey & { units: number }>(
    `select line.offer_id as "offerId", line.is_moderated as "isModerated", sum(line.quantity) as units
     from unnest($1::int8[], $2::bool[]) as wanted (offer_id, is_moderated)
     join cart_items line on line.offer_id = wanted.offer_id and line.is_moderated = wanted.is_moderated
     where line.reserved_until > $3 and not (line.cart_id = any($4))
     group by line.offer_id, line.is_moderated`,
    [keys.map((it) => it.offerId), keys.map((it) => it.isModerated), read.now, cartIds],
  )
  return new Map(rows.map((it) => [keyOf(it), it.units]))
}

/** Ends the reservations of an offer that were made up to an instant, in all carts. */
export function releaseOffer(tx: Tx, key: LineKey, at: Date): void {
  tx.later(
    `update cart_items set reserved_until = null
     where offer_id = $1 and is_moderated = $2 and reserved_until is not null and updated_at <= $3`,
    [key.offerId, key.isModerated, at],
  )
}
