import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { Member } from './member.ts'
import * as store from './store/members.ts'

/** Gives a member the name by which he wants to be called. */
export async function renameMember(tx: Tx, memberId: string, name: string): Promise<Member> {
  const before = await store.lockMember(tx, memberId)
  if (!before) throw refuse('not_found')

  const member = await store.updateMember(tx, { ...before, name })
  await publish(tx, { type: 'MemberChanged', memberId })
  return member
}
