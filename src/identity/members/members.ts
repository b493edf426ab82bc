import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { secretText } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { ownershipRefusal, type Member, ownersOnly, type Role } from './member.ts'
import * as store from './store.ts'
import { endMemberSessions, lockOwners } from './store.ts'

/** Changes the name or role of a member; open sessions follow within a second. */
export async function changeMember(
  tx: Tx,
  memberId: string,
  input: { changes: { name?: string; role?: Role }; actorId: string | null; ifMatch?: IfMatch | undefined },
): Promise<Member> {
  const owners = await store.lockOwners(tx)
  const before = await store.lockMember(tx, memberId)
  if (!before) throw refuse('not_found')
  requireVersion(before, input.ifMatch)

  const after = { ...before, ...input.changes }
  const staysOwner = after.role === 'owner'
  const refusal = ownershipRefusal(owners, { actorId: input.actorId, memberId, staysOwner })
  if (refusal) throw refusal

  if (before.name === after.name && before.role === after.role) return before
  const member = await store.updateMember(tx, after)
  if (before.name !== after.name) publish(tx, { type: 'MemberChanged', memberId })
  if (before.role !== after.role)
    publish(tx, { type: 'MemberRoleChanged', memberId, role: after.role, before: before.role })
  return member
}

/** Adds an active member. */
export async function createMember(
  tx: Tx,
  input: { email: string; name: string; role: Role; passwordHash: string },
): Promise<Member> {
  const member = await store.insertMember(tx, { ...input, id: `member_${secretText(20)}` })
  if (!member) throw refuse('validation_failed', { fields: [{ path: 'email', rule: 'taken' }] })
  publish(tx, { type: 'MemberJoined', memberId: member.id, role: member.role })
  return member
}

/** Deactivates a member and ends the sessions, in every process within a second. Idempotent. */
export async function deactivateMember(tx: Tx, memberId: string, actorId: string | null): Promise<Member> {
  const owners = await store.lockOwners(tx)
  const before = await store.lockMember(tx, memberId)
  if (!before) throw refuse('not_found')
  const refusal = ownershipRefusal(owners, { actorId, memberId, staysOwner: false })
  if (refusal) throw refusal
  if (before.state === 'deactivated') return before

  const member = await store.updateMember(tx, { ...before, state: 'deactivated' })
  await endMemberSessions(tx, memberId, null)
  publish(tx, { type: 'MemberDeactivated', memberId })
  return member
}

/** Reactivates a member with the previous role and password. */
export async function reactivateMember(tx: Tx, memberId: string, actorId: string | null): Promise<Member> {
  await refuseUnlessOwner(tx, actorId)
  const before = await store.lockMember(tx, memberId)
  if (!before) throw refuse('not_found')
  if (before.state === 'active') return before

  const member = await store.updateMember(tx, { ...before, state: 'active' })
  publish(tx, { type: 'MemberReactivated', memberId })
  return member
}

export async function renameMember(tx: Tx, memberId: string, name: string): Promise<Member> {
  const before = await store.lockMember(tx, memberId)
  if (!before) throw refuse('not_found')

  const member = await store.updateMember(tx, { ...before, name })
  publish(tx, { type: 'MemberChanged', memberId })
  return member
}

/** Locks the owners and refuses a caller who is no longer an owner. `actorId` is null for the command line. */
export async function refuseUnlessOwner(tx: Tx, actorId: string | null): Promise<void> {
  const owners = await lockOwners(tx)
  if (actorId !== null && !owners.includes(actorId)) throw ownersOnly()
}
