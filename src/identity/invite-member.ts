import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { secretText } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { type Invitation, newInvitationToken } from './invitation.ts'
import type { Role } from './member.ts'
import { refuseUnlessOwner } from './refuse-unless-owner.ts'
import * as store from './store/members.ts'

/** Invites somebody to run the shop. The token of the link is returned here and never again. */
export async function inviteMember(
  tx: Tx,
  wish: { email: string; role: Role; actorId: string | null },
): Promise<{ invitation: Invitation; token: string }> {
  await refuseUnlessOwner(tx, wish.actorId)
  if (await store.findMemberByEmail(tx, wish.email))
    throw refuse('validation_failed', { fields: [{ path: 'email', rule: 'taken' }] })

  const { token, hash, expiresAt } = newInvitationToken(tx.now)
  const invitation = await store.insertInvitation(tx, {
    id: `invitation_${secretText(20)}`,
    email: wish.email,
    role: wish.role,
    invitedBy: wish.actorId,
    hash,
    expiresAt,
  })
  if (!invitation) throw refuse('conflict', { reason: 'there is an open invitation; resend or revoke it' })
  await publish(tx, { type: 'MemberInvited', invitationId: invitation.id, role: invitation.role })
  return { invitation, token }
}
