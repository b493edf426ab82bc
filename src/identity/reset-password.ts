// A client who has forgotten his password. The fact says only that he asked; whoever is to write to him fetches the
// token, so it stands in no outbox, no webhook and no log (ADR 0009).

import type { Database, Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { secretText, sha256 } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { spend } from './attempts.ts'
import { setPassword } from './change-password.ts'
import { type Client, contactOf } from './client.ts'
import { type Passwords, refuseWeak } from './password.ts'
import { findClient, findClientByContact, lockClient } from './store/clients.ts'
import * as store from './store/password-resets.ts'

const lifetimeMs = 3_600_000
const tokenForm = /^pr_(live|test)_[0-9A-Za-z]{40}$/

/** Counts a wish for a new password, whether its login exists or not. */
export const countResetWish = (db: Database, login: string, network: string | null): Promise<void> =>
  spend(db, [
    { budget: 'resetAccount', who: JSON.stringify(contactOf(login) ?? login) },
    ...(network === null ? [] : [{ budget: 'resetNetwork' as const, who: network }]),
  ])

/** Notes that somebody wants a new password. Says nothing of whether there is such a client. */
export async function requestPasswordReset(tx: Tx, login: string): Promise<void> {
  const contact = contactOf(login)
  const client = contact && (await findClientByContact(tx, contact))
  if (!client) return
  const expiresAt = new Date(tx.now.getTime() + lifetimeMs)
  const { id } = await store.insertReset(tx, { id: `rst_${secretText(20)}`, clientId: client.id, expiresAt })
  await publish(tx, {
    type: 'PasswordResetRequested',
    resetId: id,
    clientId: client.id,
    expiresAt: expiresAt.toISOString(),
  })
}

/** Makes the token of a wish for whoever writes to the client. An earlier token of the same wish stops working. */
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

/** Looks at a token and the password it is to bring, before any transaction waits for the hash. */
export async function checkReset(
  { db, passwords }: { db: Database; passwords: Passwords },
  given: { token: string; password: string },
  network: string | null,
): Promise<{ tokenHash: Buffer; hash: string }> {
  if (network !== null) await spend(db, [{ budget: 'resetToken', who: network }])
  const tokenHash = sha256(given.token)
  const reset = tokenForm.test(given.token) ? await store.findReset(db.read(), tokenHash) : undefined
  const client = reset && (await findClient(db.read(), reset.clientId))
  if (!client) throw noSuchToken()
  refuseWeak(given.password, client, 'password')
  return { tokenHash, hash: await passwords.hash(given.password) }
}

/** Gives the client his new password and uses the token up. All his sessions end. */
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
