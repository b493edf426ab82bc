import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { type Invitation, newInvitationToken, stateOfInvitation } from './invitation.ts'
import { refuseUnlessOwner } from './refuse-unless-owner.ts'
import * as store from './store/members.ts'

/** Gives an invitation a new link and a new week; the old link stops working. */
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
    throw refuse('invalid_transition', { state, asked: 'resend', allowed: [] })

  const { token, ...link } = newInvitationToken(tx.now)
  const invitation = await store.renewInvitation(tx, invitationId, link)
  await publish(tx, { type: 'MemberInvited', invitationId, role: invitation.role })
  return { invitation, token }
}
