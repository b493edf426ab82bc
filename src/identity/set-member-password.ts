import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { endMemberSessions } from './store/member-sessions.ts'
import * as store from './store/members.ts'

/** Gives a member another password and ends every session but the one it was asked for in. */
export async function setMemberPassword(
  tx: Tx,
  memberId: string,
  { passwordHash, sparedSession }: { passwordHash: string; sparedSession: string | null },
): Promise<void> {
  if (!(await store.lockMember(tx, memberId))) throw refuse('not_found')
  await store.savePassword(tx, memberId, passwordHash)
  await endMemberSessions(tx, memberId, sparedSession)
  await publish(tx, { type: 'MemberPasswordChanged', memberId })
}
