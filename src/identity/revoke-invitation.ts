import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { type Invitation, stateOfInvitation } from './invitation.ts'
import { refuseUnlessOwner } from './refuse-unless-owner.ts'
import * as store from './store/members.ts'

/** Ends an invitation that nobody has accepted. Revoking it again changes nothing. */
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
  if (state === 'accepted') throw refuse('invalid_transition', { state, asked: 'revoke', allowed: [] })

  const invitation = await store.endInvitation(tx, invitationId, 'revoked')
  await publish(tx, { type: 'InvitationRevoked', invitationId })
  return invitation
}
