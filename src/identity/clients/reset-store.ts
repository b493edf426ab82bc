// SQL of password reset requests. A token exists only after the sender of the message has fetched it.

import type { Reader, Tx } from '../../base/database.ts'

export interface PasswordReset {
  id: string
  clientId: number
  requestedAt: Date
  expiresAt: Date
  usedAt: Date | null
}

const columns = `id, client_id as "clientId", requested_at as "requestedAt", expires_at as "expiresAt", used_at as "usedAt"`

export const insertReset = (
  tx: Tx,
  it: Pick<PasswordReset, 'id' | 'clientId' | 'expiresAt'>,
): Promise<PasswordReset> =>
  tx.one<PasswordReset>(
    `insert into identity_password_resets (id, client_id, requested_at, expires_at) values ($1, $2, $3, $4)
     returning ${columns}`,
    [it.id, it.clientId, tx.now, it.expiresAt],
  )

/** Stores the hash of a new token; it replaces an earlier one. */
export const setResetHash = (tx: Tx, id: string, hash: Buffer): Promise<PasswordReset | undefined> =>
  tx.maybe<PasswordReset>(
    `update identity_password_resets set hash = $2 where id = $1 and used_at is null and expires_at > $3
     returning ${columns}`,
    [id, hash, tx.now],
  )

/** Stores the hash of the first token; undefined when a sender has fetched one already. */
export const setFirstResetHash = (tx: Tx, id: string, hash: Buffer): Promise<PasswordReset | undefined> =>
  tx.maybe<PasswordReset>(
    `update identity_password_resets set hash = $2
     where id = $1 and hash is null and used_at is null and expires_at > $3 returning ${columns}`,
    [id, hash, tx.now],
  )

export const findReset = (read: Reader, hash: Buffer): Promise<PasswordReset | undefined> =>
  read.maybe<PasswordReset>(
    `select ${columns} from identity_password_resets where hash = $1 and used_at is null and expires_at > $2`,
    [hash, read.now],
  )

/** Consumes a token and all other requests of the client; succeeds for one of several concurrent callers. */
export async function useReset(tx: Tx, hash: Buffer): Promise<PasswordReset | undefined> {
  const used = await tx.maybe<PasswordReset>(
    `update identity_password_resets set used_at = $2 where hash = $1 and used_at is null and expires_at > $2
     returning ${columns}`,
    [hash, tx.now],
  )
  if (used)
    await tx.all(
      `update identity_password_resets set used_at = $2 where client_id = $1 and used_at is null`,
      [used.clientId, tx.now],
    )
  return used
}

export const resetsPurge = {
  days: 7,
  sql: `delete from identity_password_resets where id in (
          select id from identity_password_resets where requested_at < $1 order by requested_at limit $2) returning 1`,
}
