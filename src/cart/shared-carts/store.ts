// Shared carts, their members and their lines.

import { noCartFields } from '../carts/cart.ts'
import type { Buyer } from '../../base/buyer.ts'
import type { Reader, Tx } from '../../base/database.ts'
import type { Member, SharedCart, SharedLine } from './shared-cart.ts'

interface MemberRow {
  place: number
  clientId: number | null
  sessionId: string | null
  joinedAt: string | null
}

type LineRow = Pick<SharedLine, 'isModerated' | 'offerId' | 'place' | 'quantity' | 'priceAtAddTiyin'> &
  Record<'addedAt' | 'updatedAt', string>

type Row = Omit<SharedCart, 'members' | 'lines'> & { members: MemberRow[]; lines: LineRow[] | null }

const sharedCart = `select id, title, token_hash as "tokenHash", token_sealed as "sealedToken", version, created_at as "createdAt",
    updated_at as "updatedAt", expires_at as "expiresAt", closed_at as "closedAt", taken_by as "takenBy",
    (select json_agg(json_build_object('place', place, 'clientId', client_id, 'sessionId', session_id, 'joinedAt', joined_at)
       order by place)
     from cart_shared_members where shared_cart_id = shared.id) as members,
    (select json_agg(json_build_object('isModerated', is_moderated, 'offerId', offer_id, 'place', place, 'quantity', quantity,
       'priceAtAddTiyin', price_at_add_tiyin, 'addedAt', added_at, 'updatedAt', updated_at)
       order by added_at, offer_id, place)
     from cart_shared_items where shared_cart_id = shared.id) as lines
  from cart_shared_carts shared where id = $1 and expires_at > $2`

/** A shared cart that has not expired. */
export async function findSharedCart(read: Reader, id: string): Promise<SharedCart | undefined> {
  const row = await read.maybe<Row>(sharedCart, [id, read.now])
  return row && { ...row, members: row.members.map(memberOf), lines: (row.lines ?? []).map(lineOf) }
}

/** The same, locked until the transaction ends. */
export function lockSharedCart(tx: Tx, id: string): Promise<SharedCart | undefined> {
  tx.later(`select 1 from cart_shared_carts where id = $1 for update`, [id])
  return findSharedCart(tx, id)
}

const memberOf = ({ place, clientId, sessionId, joinedAt }: MemberRow): Member => ({
  place,
  buyer: clientId === null ? { kind: 'guest', sessionId: sessionId! } : { kind: 'client', clientId },
  joinedAt: joinedAt === null ? null : new Date(joinedAt),
})

const lineOf = (row: LineRow): SharedLine => ({
  ...row,
  ...noCartFields,
  addedAt: new Date(row.addedAt),
  updatedAt: new Date(row.updatedAt),
})

export function insertSharedCart(tx: Tx, it: SharedCart): void {
  tx.later(
    `insert into cart_shared_carts (id, title, token_hash, token_sealed, version, created_at, updated_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [it.id, it.title, it.tokenHash, it.sealedToken, it.version, it.createdAt, it.updatedAt, it.expiresAt],
  )
  saveMembers(tx, it.id, it.members)
  saveSharedLines(tx, it.id, it.lines)
}

/** Saves version, times and state of a locked shared cart. */
export function touchSharedCart(tx: Tx, it: SharedCart): void {
  tx.later(
    `update cart_shared_carts set version = $2, updated_at = $3, closed_at = $4, taken_by = $5, token_hash = $6,
       token_sealed = $7
     where id = $1`,
    [it.id, it.version, it.updatedAt, it.closedAt, it.takenBy, it.tokenHash, it.sealedToken],
  )
}

/** Inserts or updates members. */
export function saveMembers(tx: Tx, id: string, members: readonly Member[]): void {
  const clientIdOf = ({ buyer }: Member) => (buyer.kind === 'client' ? buyer.clientId : null)
  const sessionIdOf = ({ buyer }: Member) => (buyer.kind === 'guest' ? buyer.sessionId : null)
  tx.later(
    `insert into cart_shared_members (shared_cart_id, place, client_id, session_id, joined_at)
     select $1, * from unnest($2::int4[], $3::int8[], $4::text[], $5::timestamptz[])
     on conflict (shared_cart_id, place) do update set joined_at = excluded.joined_at`,
    [
      id,
      members.map((it) => it.place),
      members.map(clientIdOf),
      members.map(sessionIdOf),
      members.map((it) => it.joinedAt?.toISOString() ?? null),
    ],
  )
}

/** Inserts or updates lines. */
export function saveSharedLines(tx: Tx, id: string, lines: readonly SharedLine[]): void {
  if (lines.length === 0) return
  tx.later(
    `insert into cart_shared_items (shared_cart_id, is_moderated, offer_id, place, quantity, price_at_add_tiyin,
       added_at, updated_at)
     select $1, * from unnest($2::bool[], $3::int8[], $4::int4[], $5::int4[], $6::int8[], $7::timestamptz[],
       $8::timestamptz[])
     on conflict (shared_cart_id, is_moderated, offer_id, place) do update set quantity = excluded.quantity,
       price_at_add_tiyin = excluded.price_at_add_tiyin, updated_at = excluded.updated_at`,
    [
      id,
      lines.map((it) => it.isModerated),
      lines.map((it) => it.offerId),
      lines.map((it) => it.place),
      lines.map((it) => it.quantity),
      lines.map((it) => it.priceAtAddTiyin),
      lines.map((it) => it.addedAt.toISOString()),
      lines.map((it) => it.updatedAt.toISOString()),
    ],
  )
}

export function deleteSharedLine(tx: Tx, id: string, line: SharedLine): void {
  tx.later(
    `delete from cart_shared_items where shared_cart_id = $1 and is_moderated = $2 and offer_id = $3 and place = $4`,
    [id, line.isModerated, line.offerId, line.place],
  )
}

const openCount = (column: 'client_id' | 'session_id') =>
  `select count(*) from cart_shared_members member join cart_shared_carts shared on shared.id = member.shared_cart_id
   where member.${column} = $1 and shared.closed_at is null and shared.expires_at > $2`
const openCountOfClient = openCount('client_id')
const openCountOfGuest = openCount('session_id')

/** How many open shared carts a buyer created, joined or was named in. */
export const countOpen = async (read: Reader, buyer: Buyer): Promise<number> =>
  (
    await (buyer.kind === 'client'
      ? read.one<{ count: number }>(openCountOfClient, [buyer.clientId, read.now])
      : read.one<{ count: number }>(openCountOfGuest, [buyer.sessionId, read.now]))
  ).count

/** Removes at most `limit` expired shared carts; returns their ids. */
export const removeExpiredSharedCarts = async (tx: Tx, limit: number): Promise<string[]> =>
  (
    await tx.all<{ id: string }>(
      `delete from cart_shared_carts where id in (
         select id from cart_shared_carts where expires_at <= $1 order by expires_at limit $2 for update skip locked)
       and expires_at <= $1 returning id`,
      [tx.now, limit],
    )
  ).map((it) => it.id)

/** Which of these clients are members of a shared cart. */
export const clientsInSharedCarts = async (read: Reader, clientIds: readonly number[]): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select distinct client_id as "clientId" from cart_shared_members where client_id = any($1)`,
      [clientIds],
    )
  ).map((it) => it.clientId)
