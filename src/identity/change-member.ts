import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import { brokenOwnership, type Member, type Role } from './member.ts'
import * as store from './store/members.ts'

/** Gives a member another name or another role; his sessions follow within a second. */
export async function changeMember(
  tx: Tx,
  memberId: string,
  wish: { changes: { name?: string; role?: Role }; actorId: string | null; ifMatch?: number | undefined },
): Promise<Member> {
  const owners = await store.lockOwners(tx)
  const before = await store.lockMember(tx, memberId)
  if (!before) throw refuse('not_found')
  refuseStale(before, wish.ifMatch)

  const after = { ...before, ...wish.changes }
  const staysOwner = after.role === 'owner'
  const refusal = brokenOwnership(owners, { actorId: wish.actorId, memberId, staysOwner })
  if (refusal) throw refusal

  if (before.name === after.name && before.role === after.role) return before
  const member = await store.updateMember(tx, after)
  if (before.name !== after.name) await publish(tx, { type: 'MemberChanged', memberId })
  if (before.role !== after.role)
    await publish(tx, { type: 'MemberRoleChanged', memberId, role: after.role, before: before.role })
  return member
}
