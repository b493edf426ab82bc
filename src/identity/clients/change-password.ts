import type { Database, Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { secretText, sha256 } from '../../base/random.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import type { Language } from '../../http/language.ts'
import { refundAttempts, countAttempts, type Attempt } from '../attempts-store.ts'
import { revokeAuthorizationsOf } from '../oauth/grants.ts'
import { type Passwords, refuseWeak } from '../passwords.ts'
import { clientTokenForm, resetLifetimeMs } from '../reset-tokens.ts'
import { type Client, contactOf } from './client.ts'
import * as store from './reset-store.ts'
import { signOutEverywhere } from './sign-in.ts'
import { findClient, findClientByContact, lockClient, setPasswordHash } from './store.ts'

export interface NewPassword {
  clientId: number
  before: string | null
  hash: string
  attempts: Attempt[]
}

/** Checks the old and the new password before a transaction begins, because hashing is slow. */
export async function checkNewPassword(
  { db, passwords }: { db: Database; passwords: Passwords },
  clientId: number,
  given: { current: string; wanted: string },
): Promise<NewPassword> {
  const attempts: Attempt[] = [{ budget: 'ownPassword', who: String(clientId) }]
  await countAttempts(db, attempts)
  const client = await findClient(db.read(), clientId)
  if (!(await passwords.matches(given.current, client?.passwordHash)))
    throw refuse('validation_failed', { fields: [{ path: 'current_password', rule: 'wrong' }] })
  refuseWeak(given.wanted, client!, 'new_password')
  return { clientId, before: client!.passwordHash, hash: await passwords.hash(given.wanted), attempts }
}

/** Sets a client's new password and ends the other sessions. */
export async function changePassword(tx: Tx, it: NewPassword, sessionId: string): Promise<Client> {
  const client = await lockClient(tx, it.clientId)
  if (client?.passwordHash !== it.before) throw conflict('changed_meanwhile', { field: 'current_password' })
  refundAttempts(tx, it.attempts)
  return setPassword(tx, { clientId: it.clientId, hash: it.hash, keepSession: sessionId })
}

/**
 * Sets a password, ends all sessions except one, and revokes all OAuth grants: anyone who knew the old password loses
 * access.
 */
export async function setPassword(
  tx: Tx,
  { clientId, hash, keepSession }: { clientId: number; hash: string; keepSession: string | null },
): Promise<Client> {
  const changed = await setPasswordHash(tx, clientId, hash)
  await signOutEverywhere(tx, [clientId], keepSession)
  await revokeAuthorizationsOf(tx, clientId)
  publish(tx, { type: 'PasswordChanged', clientId })
  return changed
}

// Password reset. The event contains no token; the sender of the message fetches it, so that it never appears in
// the outbox, webhooks or logs (ADR 0009).

/** Counts a reset request, whether the login exists or not. */
export const countResetRequest = (db: Database, login: string, network: string | null): Promise<void> =>
  countAttempts(db, [
    { budget: 'resetAccount', who: JSON.stringify(contactOf(login) ?? login) },
    ...(network === null ? [] : [{ budget: 'resetNetwork' as const, who: network }]),
  ])

/** Creates a reset request. Does not reveal whether the client exists. */
export async function requestPasswordReset(
  tx: Tx,
  { login, language }: { login: string; language: Language },
): Promise<void> {
  const contact = contactOf(login)
  const client = contact && (await findClientByContact(tx, contact))
  if (!client) return
  const expiresAt = new Date(tx.now.getTime() + resetLifetimeMs)
  const { id } = await store.insertReset(tx, { id: `rst_${secretText(20)}`, clientId: client.id, expiresAt })
  publish(tx, {
    type: 'PasswordResetRequested',
    resetId: id,
    clientId: client.id,
    channel: contact.kind === 'email' ? 'email' : 'sms',
    language,
    expiresAt: expiresAt.toISOString(),
  })
}

/** Issues the token of a reset request for the sender of the message. The previous token stops working. */
export async function issueResetToken(
  tx: Tx,
  resetId: string,
): Promise<{ token: string; client: Client; expiresAt: Date }> {
  const token = `pr_${tx.environment}_${secretText(40)}`
  const reset = await store.setResetHash(tx, resetId, sha256(token))
  const client = reset && (await findClient(tx, reset.clientId))
  if (!client) throw refuse('not_found')
  return { token, client, expiresAt: reset.expiresAt }
}

/** Stores the hash of the token that is about to be sent. Undefined when the request ended or has a token already. */
export const openReset = (tx: Tx, resetId: string, token: string): Promise<store.PasswordReset | undefined> =>
  store.setFirstResetHash(tx, resetId, sha256(token))

/** Checks a token and the new password before a transaction begins, because hashing is slow. */
export async function checkReset(
  { db, passwords }: { db: Database; passwords: Passwords },
  given: { token: string; password: string },
  network: string | null,
): Promise<{ tokenHash: Buffer; hash: string }> {
  if (network !== null) await countAttempts(db, [{ budget: 'resetToken', who: network }])
  const tokenHash = sha256(given.token)
  const reset = clientTokenForm.test(given.token) ? await store.findReset(db.read(), tokenHash) : undefined
  const client = reset && (await findClient(db.read(), reset.clientId))
  if (!client) throw noSuchToken()
  refuseWeak(given.password, client, 'password')
  return { tokenHash, hash: await passwords.hash(given.password) }
}

/** Sets the new password, consumes the token and ends all sessions. */
export async function resetPassword(
  tx: Tx,
  { tokenHash, hash }: { tokenHash: Buffer; hash: string },
): Promise<void> {
  const used = await store.useReset(tx, tokenHash)
  if (!used) throw noSuchToken()
  await lockClient(tx, used.clientId)
  await setPassword(tx, { clientId: used.clientId, hash, keepSession: null })
}

const noSuchToken = () => refuse('validation_failed', { fields: [{ path: 'token', rule: 'wrong' }] })
