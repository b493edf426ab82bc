import type { Environment, Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { giveBack } from './attempts.ts'
import type { CheckedMember } from './check-member-password.ts'
import type { Member } from './member.ts'
import { type MemberSession, newMemberSession } from './member-session.ts'
import { endMemberSession, insertMemberSession } from './store/member-sessions.ts'
import * as store from './store/members.ts'

export interface MemberBrowser {
  environment: Environment
  userAgent: string | null
  /** The session that the browser had until now; it ends, so that no value outlives a sign-in. */
  before: { memberId: string; sessionId: string } | null
}

/** Opens a session for a member whose password was right. Its value is returned here and never again. */
export async function signInMember(
  tx: Tx,
  { member: checked, tries }: CheckedMember,
  { before, ...browser }: MemberBrowser,
): Promise<{ member: Member; session: MemberSession; value: string }> {
  const member = checked && (await store.lockMember(tx, checked.id))
  // He may have been shut out, or the password changed, while its hash was compared.
  if (member?.state !== 'active' || (await store.findPasswordHash(tx, member.id)) !== checked!.passwordHash)
    throw refuse('unauthorized', { reason: 'unknown' })

  if (before) await endMemberSession(tx, before.memberId, before.sessionId)
  const { value, ...made } = newMemberSession(browser.environment, tx.now)
  const session = await insertMemberSession(tx, { ...made, ...browser, memberId: member.id })
  await publish(tx, { type: 'MemberSignedIn', memberId: member.id, sessionId: session.id })
  if (before) await publish(tx, { type: 'MemberSessionsEnded', memberId: before.memberId, count: 1 })
  giveBack(tx, tries)
  return { member, session, value }
}
