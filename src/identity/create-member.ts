import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { secretText } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { Member, Role } from './member.ts'
import * as store from './store/members.ts'

/** Adds a member who can sign in at once. */
export async function createMember(
  tx: Tx,
  wish: { email: string; name: string; role: Role; passwordHash: string },
): Promise<Member> {
  const member = await store.insertMember(tx, { ...wish, id: `member_${secretText(20)}` })
  if (!member) throw refuse('validation_failed', { fields: [{ path: 'email', rule: 'taken' }] })
  await publish(tx, { type: 'MemberJoined', memberId: member.id, role: member.role })
  return member
}
