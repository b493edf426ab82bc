import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { Member } from './member.ts'
import { refuseUnlessOwner } from './refuse-unless-owner.ts'
import * as store from './store/members.ts'

/** Lets a member in again, with the role and the password he had. */
export async function reactivateMember(tx: Tx, memberId: string, actorId: string | null): Promise<Member> {
  await refuseUnlessOwner(tx, actorId)
  const before = await store.lockMember(tx, memberId)
  if (!before) throw refuse('not_found')
  if (before.state === 'active') return before

  const member = await store.updateMember(tx, { ...before, state: 'active' })
  await publish(tx, { type: 'MemberReactivated', memberId })
  return member
}
