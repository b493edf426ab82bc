// SQL of password reset requests of members. Like members, they are stored once for both environments.

import type { Reader, Tx } from '../../base/database.ts'

export interface MemberPasswordReset {
  id: string
  memberId: string
  expiresAt: Date
}

const columns = `id, member_id as "memberId", expires_at as "expiresAt"`
const isOpen = `used_at is null and expires_at >`

export async function insertMemberReset(tx: Tx, it: MemberPasswordReset): Promise<void> {
  await tx.all(
    `insert into identity_member_password_resets (id, member_id, requested_at, expires_at)
     values ($1, $2, $3, $4)`,
    [it.id, it.memberId, tx.now, it.expiresAt],
  )
}

/** Stores the hash of the token; undefined when the request is used or has expired. */
export const setMemberResetHash = (
  tx: Tx,
  id: string,
  hash: Buffer,
): Promise<MemberPasswordReset | undefined> =>
  tx.maybe<MemberPasswordReset>(
    `update identity_member_password_resets set hash = $2 where id = $1 and ${isOpen} $3 returning ${columns}`,
    [id, hash, tx.now],
  )

export const findMemberReset = (read: Reader, hash: Buffer): Promise<MemberPasswordReset | undefined> =>
  read.maybe<MemberPasswordReset>(
    `select ${columns} from identity_member_password_resets where hash = $1 and ${isOpen} $2`,
    [hash, read.now],
  )

/** Consumes a token and all other requests of the member; succeeds for one of several concurrent callers. */
export async function useMemberReset(tx: Tx, hash: Buffer): Promise<MemberPasswordReset | undefined> {
  const used = await tx.maybe<MemberPasswordReset>(
    `update identity_member_password_resets set used_at = $2 where hash = $1 and ${isOpen} $2
     returning ${columns}`,
    [hash, tx.now],
  )
  if (used)
    await tx.all(
      `update identity_member_password_resets set used_at = $2 where member_id = $1 and used_at is null`,
      [used.memberId, tx.now],
    )
  return used
}

export const memberResetsPurge = {
  days: 7,
  sql: `delete from identity_member_password_resets where id in (
          select id from identity_member_password_resets where requested_at < $1 order by requested_at limit $2) returning 1`,
}
