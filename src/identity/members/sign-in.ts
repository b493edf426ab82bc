import type { Database, Environment, Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { refundAttempts, countAttempts, type Attempt } from '../attempts-store.ts'
import type { Scope } from '../../http/scopes.ts'
import { emailOf } from '../clients/client.ts'
import type { CredentialKind } from '../credential-cache.ts'
import { type Passwords, refuseWeak } from '../passwords.ts'
import {
  environmentOfMemberSession,
  type Member,
  memberCookie,
  memberIdleMs,
  type MemberSession,
  newMemberSession,
  scopesOfRole,
  twoStepForOwners,
} from './member.ts'
import * as store from './store.ts'
import {
  endMemberSession,
  endMemberSessions,
  findMember,
  findMemberByEmail,
  findPasswordHash,
  insertMemberSession,
  type MemberWithHash,
} from './store.ts'

export interface MemberBrowser {
  environment: Environment
  userAgent: string | null
  /** The previous session of the browser; it ends, so that no session value survives a sign-in. */
  before: { memberId: string; sessionId: string } | null
}

/** Opens a session for a member whose password was correct. Its value is returned here and never again. */
export async function signInMember(
  tx: Tx,
  { member: checked, attempts }: CheckedMember,
  { before, ...browser }: MemberBrowser,
): Promise<{ member: Member; session: MemberSession; value: string }> {
  const member = checked && (await store.lockMember(tx, checked.id))
  // The member may have been deactivated, or the password changed, while its hash was compared.
  if (member?.state !== 'active' || (await store.findPasswordHash(tx, member.id)) !== checked!.passwordHash)
    throw refuse('invalid_credentials')

  if (before) await endMemberSession(tx, before.memberId, before.sessionId)
  const { value, ...made } = newMemberSession(browser.environment, tx.now)
  const session = await insertMemberSession(tx, { ...made, ...browser, memberId: member.id })
  publish(tx, { type: 'MemberSignedIn', memberId: member.id, sessionId: session.id })
  if (before) publish(tx, { type: 'MemberSessionsEnded', memberId: before.memberId, count: 1 })
  refundAttempts(tx, attempts)
  return { member, session, value }
}

/** Members belong to live, so attempts are counted there. */
export interface PasswordDeps {
  db: Database
  passwords: Passwords
}

/** A checked claim: the member if the password was correct, and the counted attempts. */
export interface CheckedMember {
  member: MemberWithHash | undefined
  attempts: Attempt[]
}

/**
 * Finds the member for an e-mail address and password. Unknown and deactivated members and wrong passwords take the
 * same time and give the same result.
 */
export async function checkMemberPassword(
  { db, passwords }: PasswordDeps,
  claim: { email: string; password: string; network: string },
): Promise<CheckedMember> {
  const email = emailOf(claim.email) ?? claim.email
  const attempts: Attempt[] = [
    { budget: 'signInMember', who: email },
    { budget: 'signInNetwork', who: claim.network },
  ]
  await countAttempts(db, attempts)
  const found = await findMemberByEmail(db.read(), email)
  const isRight = await passwords.matches(claim.password, found?.passwordHash)
  return { member: isRight && found?.state === 'active' ? found : undefined, attempts }
}

/** Refuses unless the password of a signed-in member is right: an unlocked screen is not enough. */
export async function checkOwnPassword(
  { db, passwords }: PasswordDeps,
  memberId: string,
  { path, password }: { path: string; password: string },
): Promise<{ before: string; attempts: Attempt[] }> {
  const attempts: Attempt[] = [{ budget: 'ownPassword', who: memberId }]
  await countAttempts(db, attempts)
  const before = await findPasswordHash(db.read(), memberId)
  if (before === undefined || !(await passwords.matches(password, before)))
    throw refuse('validation_failed', { fields: [{ path, rule: 'wrong' }] })
  return { before, attempts }
}

export interface NewMemberPassword {
  memberId: string
  before: string
  passwordHash: string
  attempts: Attempt[]
}

/** Checks the old and the new password of a signed-in member. */
export async function checkNewMemberPassword(
  deps: PasswordDeps,
  memberId: string,
  given: { current: string; wanted: string },
): Promise<NewMemberPassword> {
  const { db, passwords } = deps
  const current = { path: 'current_password', password: given.current }
  const { before, attempts } = await checkOwnPassword(deps, memberId, current)
  refuseWeak(given.wanted, (await findMember(db.read(), memberId)) ?? {}, 'new_password')
  return { memberId, before, passwordHash: await passwords.hash(given.wanted), attempts }
}

/** Changes a member's own password and ends the other sessions. */
export async function changeMemberPassword(
  tx: Tx,
  { memberId, before, passwordHash, attempts }: NewMemberPassword,
  sparedSession: string,
): Promise<void> {
  await store.lockMember(tx, memberId)
  if ((await store.findPasswordHash(tx, memberId)) !== before)
    throw conflict('changed_meanwhile', { field: 'current_password' })
  await setMemberPassword(tx, memberId, { passwordHash, sparedSession })
  refundAttempts(tx, attempts)
}

/** Sets a member's password and ends all sessions except `sparedSession`. */
export async function setMemberPassword(
  tx: Tx,
  memberId: string,
  { passwordHash, sparedSession }: { passwordHash: string; sparedSession: string | null },
): Promise<void> {
  if (!(await store.lockMember(tx, memberId))) throw refuse('not_found')
  await store.savePassword(tx, memberId, passwordHash)
  await endMemberSessions(tx, memberId, sparedSession)
  publish(tx, { type: 'MemberPasswordChanged', memberId })
}

/** Ends one of a member's own sessions, in every process within a second. */
export async function endOwnSession(tx: Tx, memberId: string, sessionId: string): Promise<void> {
  if (!(await store.endMemberSession(tx, memberId, sessionId))) throw refuse('not_found')
  publish(tx, { type: 'MemberSessionsEnded', memberId, count: 1 })
}

/** Ends all sessions of a member except one, and returns their number. */
export async function endOtherSessions(tx: Tx, memberId: string, spared: string): Promise<number> {
  const count = await store.endMemberSessions(tx, memberId, spared)
  if (count > 0) publish(tx, { type: 'MemberSessionsEnded', memberId, count })
  return count
}

const header = 'x-environment'

/**
 * The cookie of a member. The request acts in the environment of `X-Environment`, else in the one where the session
 * began. Member sessions use the live clock: moving the test clock must not affect them.
 */
/** Owners who must have two-step sign-in and do not can reach their own account only. */
const noScopes: ReadonlySet<Scope> = new Set()

export const memberCredential: CredentialKind = {
  carrier: 'cookie',
  cookie: memberCookie,
  environmentOf: (text) => environmentOfMemberSession(text) && 'live',
  isRequested: (headers) => headers[header] !== undefined,
  environmentOfRequest: (text, headers) => {
    const named = headers[header] ?? environmentOfMemberSession(text)
    if (named !== 'live' && named !== 'test')
      throw refuse('invalid_header', { header: 'X-Environment', allowed: ['live', 'test'] })
    return named
  },
  find: async (read, hash) => {
    const session = await store.findMemberSessionByHash(read, hash)
    return (
      session && {
        principal: {
          id: session.sessionId,
          environment: 'live',
          actor: { kind: 'member', memberId: session.memberId, role: session.role },
          application: null,
          scopes: session.lacksTwoStep ? noScopes : scopesOfRole(session.role),
          rate: undefined,
        },
        hash: session.hash,
        dependsOn: [`member/${session.memberId}`, `member-rules/${twoStepForOwners}`],
        revokedAt: session.endedAt,
        expiresAt: session.endsAt,
        idle: { lastUsedAt: session.lastSeenAt, lifetimeMs: memberIdleMs },
      }
    )
  },
  recordUse: store.recordMembersSeen,
}
