// Lost passwords of members. No route returns the token: it goes to the member's e-mail address only (ADR 0043).

import type { Database, Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { secretText, sha256 } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { Language } from '../../http/language.ts'
import { countAttempts } from '../attempts-store.ts'
import { emailOf } from '../clients/client.ts'
import { refuseWeak } from '../passwords.ts'
import { resetLifetimeMs } from '../reset-tokens.ts'
import type { Member } from './member.ts'
import * as resets from './reset-store.ts'
import { type PasswordDeps, setMemberPassword } from './sign-in.ts'
import { findMember, findMemberByEmail, lockMember } from './store.ts'

/** Counts a request, whether the member exists or not. */
export const countMemberResetRequest = (
  db: Database,
  { email, network }: { email: string; network: string },
): Promise<void> =>
  countAttempts(db, [
    { budget: 'resetMember', who: emailOf(email) ?? email },
    { budget: 'resetNetwork', who: network },
  ])

/** Creates a reset request for an active member. Does not reveal whether there is one. */
export async function requestMemberPasswordReset(
  tx: Tx,
  given: { email: string; language: Language },
): Promise<void> {
  const email = emailOf(given.email)
  const member = email === undefined ? undefined : await findMemberByEmail(tx, email)
  if (member?.state !== 'active') return
  const id = `mrst_${secretText(20)}`
  const expiresAt = new Date(tx.now.getTime() + resetLifetimeMs)
  await resets.insertMemberReset(tx, { id, memberId: member.id, expiresAt })
  publish(tx, {
    type: 'MemberPasswordResetRequested',
    resetId: id,
    memberId: member.id,
    language: given.language,
    expiresAt: expiresAt.toISOString(),
  })
}

/** Stores the hash of the token that is about to be mailed; the member to mail it to, if the request is still open. */
export async function openMemberReset(tx: Tx, resetId: string, token: string): Promise<Member | undefined> {
  const reset = await resets.setMemberResetHash(tx, resetId, sha256(token))
  const member = reset && (await findMember(tx, reset.memberId))
  return member?.state === 'active' ? member : undefined
}

/** Checks a token and the new password before a transaction begins, because hashing is slow. */
export async function checkMemberReset(
  { db, passwords }: PasswordDeps,
  given: { token: string; password: string; network: string },
): Promise<{ tokenHash: Buffer; passwordHash: string }> {
  await countAttempts(db, [{ budget: 'resetToken', who: given.network }])
  const tokenHash = sha256(given.token)
  const reset = await resets.findMemberReset(db.read(), tokenHash)
  const member = reset && (await findMember(db.read(), reset.memberId))
  if (member?.state !== 'active') throw noSuchToken()
  refuseWeak(given.password, member, 'password')
  return { tokenHash, passwordHash: await passwords.hash(given.password) }
}

/** Sets the new password, consumes the token and ends all sessions. */
export async function resetMemberPassword(
  tx: Tx,
  { tokenHash, passwordHash }: { tokenHash: Buffer; passwordHash: string },
): Promise<void> {
  const used = await resets.useMemberReset(tx, tokenHash)
  const member = used && (await lockMember(tx, used.memberId))
  // The member may have been deactivated while the password was hashed.
  if (member?.state !== 'active') throw noSuchToken()
  await setMemberPassword(tx, member.id, { passwordHash, sparedSession: null })
}

const noSuchToken = () => refuse('validation_failed', { fields: [{ path: 'token', rule: 'wrong' }] })
