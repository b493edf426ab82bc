import type { Tx } from '../base/db.ts'
import { sha256 } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import type { PasswordDesk } from './check-member-password.ts'
import { createMember } from './create-member.ts'
import { stateOfInvitation } from './invitation.ts'
import type { Member } from './member.ts'
import { refuseWeak } from './password.ts'
import * as store from './store/members.ts'

/** Looks at the link and the password before any transaction waits for its hash, and hashes for nobody without a link. */
export async function checkInvitation(
  { db, passwords }: PasswordDesk,
  given: { token: string; name: string; password: string },
): Promise<string> {
  const invitation = await store.findInvitationByHash(db.read(), sha256(given.token))
  if (!invitation) throw refuse('not_found')
  refuseWeak(given.password, { name: given.name, email: invitation.email }, 'password')
  return passwords.hash(given.password)
}

/** Makes a member of whoever holds an open link. A link that was used, replaced, revoked or never made is not found. */
export async function acceptInvitation(
  tx: Tx,
  { token, name, passwordHash }: { token: string; name: string; passwordHash: string },
): Promise<Member> {
  const invitation = await store.lockInvitationByHash(tx, sha256(token))
  if (!invitation || stateOfInvitation(invitation, tx.now) !== 'open') throw refuse('not_found')

  const { email, role } = invitation
  const member = await createMember(tx, { email, role, name, passwordHash })
  await store.endInvitation(tx, invitation.id, 'accepted')
  return member
}
