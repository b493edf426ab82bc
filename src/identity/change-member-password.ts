import type { Tx } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import { giveBack } from './attempts.ts'
import type { NewMemberPassword } from './check-member-password.ts'
import { setMemberPassword } from './set-member-password.ts'
import * as store from './store/members.ts'

/** Gives a member his new password, and ends his sessions everywhere else. */
export async function changeMemberPassword(
  tx: Tx,
  { memberId, before, passwordHash, tries }: NewMemberPassword,
  sparedSession: string,
): Promise<void> {
  await store.lockMember(tx, memberId)
  if ((await store.findPasswordHash(tx, memberId)) !== before)
    throw refuse('conflict', { field: 'current_password' })
  await setMemberPassword(tx, memberId, { passwordHash, sparedSession })
  giveBack(tx, tries)
}
