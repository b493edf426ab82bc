import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { brokenOwnership, type Member } from './member.ts'
import { endMemberSessions } from './store/member-sessions.ts'
import * as store from './store/members.ts'

/** Shuts a member out and ends his sessions, on every process within a second. Doing it again changes nothing. */
export async function deactivateMember(tx: Tx, memberId: string, actorId: string | null): Promise<Member> {
  const owners = await store.lockOwners(tx)
  const before = await store.lockMember(tx, memberId)
  if (!before) throw refuse('not_found')
  const refusal = brokenOwnership(owners, { actorId, memberId, staysOwner: false })
  if (refusal) throw refusal
  if (before.state === 'deactivated') return before

  const member = await store.updateMember(tx, { ...before, state: 'deactivated' })
  await endMemberSessions(tx, memberId, null)
  await publish(tx, { type: 'MemberDeactivated', memberId })
  return member
}
