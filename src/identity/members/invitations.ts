import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { secretText, sha256 } from '../../base/random.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { refuseWeak } from '../passwords.ts'
import { type Invitation, type Member, newInvitationToken, type Role, stateOfInvitation } from './member.ts'
import { createMember, refuseUnlessOwner } from './members.ts'
import type { PasswordDeps } from './sign-in.ts'
import * as store from './store.ts'

/** Creates an invitation. Its token is returned here and never again. */
export async function inviteMember(
  tx: Tx,
  input: { email: string; role: Role; actorId: string | null },
): Promise<{ invitation: Invitation; token: string }> {
  await refuseUnlessOwner(tx, input.actorId)
  if (await store.findMemberByEmail(tx, input.email))
    throw refuse('validation_failed', { fields: [{ path: 'email', rule: 'taken' }] })

  const { token, hash, expiresAt } = newInvitationToken(tx.now)
  const invitation = await store.insertInvitation(tx, {
    id: `invitation_${secretText(20)}`,
    email: input.email,
    role: input.role,
    invitedBy: input.actorId,
    hash,
    expiresAt,
  })
  if (!invitation) throw conflict('invitation_open', { field: 'email', value: input.email })
  publish(tx, { type: 'MemberInvited', invitationId: invitation.id, role: invitation.role })
  return { invitation, token }
}

/** Checks the link and hashes the password before a transaction begins; without a valid link nothing is hashed. */
export async function checkInvitation(
  { db, passwords }: PasswordDeps,
  given: { token: string; name: string; password: string },
): Promise<string> {
  const invitation = await store.findInvitationByHash(db.read(), sha256(given.token))
  if (!invitation) throw unusable()
  refuseWeak(given.password, { name: given.name, email: invitation.email }, 'password')
  return passwords.hash(given.password)
}

/** The token is a secret, so the reply does not repeat it. */
const unusable = () => refuse('not_found', { resource: 'invitation', id: null, path: 'token' })

/** Creates a member from an open invitation. Used, replaced, revoked and unknown links are all `not_found`. */
export async function acceptInvitation(
  tx: Tx,
  { token, name, passwordHash }: { token: string; name: string; passwordHash: string },
): Promise<Member> {
  const invitation = await store.lockInvitationByHash(tx, sha256(token))
  if (!invitation || stateOfInvitation(invitation, tx.now) !== 'open') throw unusable()

  const { email, role } = invitation
  const member = await createMember(tx, { email, role, name, passwordHash })
  await store.endInvitation(tx, invitation.id, 'accepted')
  return member
}

/** Creates a new link that is valid for another week; the old one stops working. */
export async function resendInvitation(
  tx: Tx,
  invitationId: string,
  actorId: string | null,
): Promise<{ invitation: Invitation; token: string }> {
  await refuseUnlessOwner(tx, actorId)
  const before = await store.lockInvitation(tx, invitationId)
  if (!before) throw refuse('not_found')
  const state = stateOfInvitation(before, tx.now)
  if (state === 'accepted' || state === 'revoked')
    throw refuse('invalid_transition', { state, requested: 'resend', allowed: [] })

  const { token, ...link } = newInvitationToken(tx.now)
  const invitation = await store.renewInvitation(tx, invitationId, link)
  publish(tx, { type: 'MemberInvited', invitationId, role: invitation.role })
  return { invitation, token }
}

/** Revokes an invitation that was not accepted. Idempotent. */
export async function revokeInvitation(
  tx: Tx,
  invitationId: string,
  actorId: string | null,
): Promise<Invitation> {
  await refuseUnlessOwner(tx, actorId)
  const before = await store.lockInvitation(tx, invitationId)
  if (!before) throw refuse('not_found')
  const state = stateOfInvitation(before, tx.now)
  if (state === 'revoked') return before
  if (state === 'accepted') throw refuse('invalid_transition', { state, requested: 'revoke', allowed: [] })

  const invitation = await store.endInvitation(tx, invitationId, 'revoked')
  publish(tx, { type: 'InvitationRevoked', invitationId })
  return invitation
}
