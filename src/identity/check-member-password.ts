import type { Database } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import { spend, type Try } from './attempts.ts'
import { emailOf } from './client.ts'
import { type Passwords, refuseWeak } from './password.ts'
import { findMember, findMemberByEmail, findPasswordHash, type MemberWithHash } from './store/members.ts'

/** What looking at a password needs: the tries are counted in live, where members are at home. */
export interface PasswordDesk {
  db: Database
  passwords: Passwords
}

/** A claim that was looked at: by which member it was made, if it is true, and what it cost. */
export interface CheckedMember {
  member: MemberWithHash | undefined
  tries: Try[]
}

/**
 * Finds the member behind an address and a password. Who does not exist, who was shut out and who has another password
 * cost the same work and give the same result.
 */
export async function checkMemberPassword(
  { db, passwords }: PasswordDesk,
  claim: { email: string; password: string; network: string },
): Promise<CheckedMember> {
  const email = emailOf(claim.email) ?? claim.email
  const tries: Try[] = [
    { budget: 'signInMember', who: email },
    { budget: 'signInNetwork', who: claim.network },
  ]
  await spend(db, tries)
  const found = await findMemberByEmail(db.read(), email)
  const isRight = await passwords.matches(claim.password, found?.passwordHash)
  return { member: isRight && found?.state === 'active' ? found : undefined, tries }
}

export interface NewMemberPassword {
  memberId: string
  before: string
  passwordHash: string
  tries: Try[]
}

/** Looks at the old and the new password of a member who is signed in. */
export async function checkNewMemberPassword(
  { db, passwords }: PasswordDesk,
  memberId: string,
  given: { current: string; wanted: string },
): Promise<NewMemberPassword> {
  const tries: Try[] = [{ budget: 'ownPassword', who: memberId }]
  await spend(db, tries)
  const before = await findPasswordHash(db.read(), memberId)
  if (before === undefined || !(await passwords.matches(given.current, before)))
    throw refuse('validation_failed', { fields: [{ path: 'current_password', rule: 'wrong' }] })
  refuseWeak(given.wanted, (await findMember(db.read(), memberId)) ?? {}, 'new_password')
  return { memberId, before, passwordHash: await passwords.hash(given.wanted), tries }
}
