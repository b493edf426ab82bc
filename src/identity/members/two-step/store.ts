// SQL of the second step of sign-in.

import type { Reader, Tx } from '../../../base/database.ts'

export interface TwoStep {
  memberId: string
  /** Encrypted. */
  secret: Buffer
  lastStep: number
  /** Null until the member has entered a first code. */
  confirmedAt: Date | null
}

const columns = `member_id as "memberId", secret, last_step as "lastStep", confirmed_at as "confirmedAt"`

export const findTwoStep = (read: Reader, memberId: string): Promise<TwoStep | undefined> =>
  read.maybe<TwoStep>(`select ${columns} from identity_member_two_steps where member_id = $1`, [memberId])

/** A secret that was never confirmed is replaced; a confirmed one is not. */
export const insertTwoStep = (tx: Tx, memberId: string, secret: Buffer): Promise<TwoStep | undefined> =>
  tx.maybe<TwoStep>(
    `insert into identity_member_two_steps as old (member_id, secret, last_step, created_at) values ($1, $2, 0, $3)
     on conflict (member_id) do update set secret = excluded.secret, last_step = 0, created_at = excluded.created_at
     where old.confirmed_at is null returning ${columns}`,
    [memberId, secret, tx.now],
  )

/** Accepts a code of this step; the first one confirms the secret. */
export async function saveStep(tx: Tx, memberId: string, step: number): Promise<void> {
  await tx.all(
    `update identity_member_two_steps set last_step = $2, confirmed_at = coalesce(confirmed_at, $3) where member_id = $1`,
    [memberId, step, tx.now],
  )
}

export async function replaceRecoveryCodes(
  tx: Tx,
  memberId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.all(`delete from identity_member_recovery_codes where member_id = $1`, [memberId])
  await tx.all(
    `insert into identity_member_recovery_codes (member_id, hash) select $1, unnest($2::bytea[])`,
    [memberId, hashes],
  )
}

/** Whether there was such a code; it is gone now. */
export const useRecoveryCode = async (tx: Tx, memberId: string, hash: Buffer): Promise<boolean> =>
  (
    await tx.all(
      `delete from identity_member_recovery_codes where member_id = $1 and hash = $2 returning 1`,
      [memberId, hash],
    )
  ).length > 0

export const countRecoveryCodes = async (read: Reader, memberId: string): Promise<number> =>
  (
    await read.one<{ count: number }>(
      `select count(*)::int4 as count from identity_member_recovery_codes where member_id = $1`,
      [memberId],
    )
  ).count

/** Whether there was a second step. */
export async function deleteTwoStep(tx: Tx, memberId: string): Promise<boolean> {
  await tx.all(`delete from identity_member_recovery_codes where member_id = $1`, [memberId])
  const deleted = await tx.all(`delete from identity_member_two_steps where member_id = $1 returning 1`, [
    memberId,
  ])
  return deleted.length > 0
}
