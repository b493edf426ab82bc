import type { Database, Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { giveBack, spend, type Try } from './attempts.ts'
import type { Client } from './client.ts'
import { type Passwords, refuseWeak } from './password.ts'
import { revokeAuthorizationsOf } from './oauth/grant.ts'
import { signOutEverywhere } from './sign-out.ts'
import { findClient, lockClient, setPasswordHash } from './store/clients.ts'

export interface NewPassword {
  clientId: number
  before: string | null
  hash: string
  tries: Try[]
}

/** Looks at the old and the new password of a client who is signed in, before any transaction waits for the hashes. */
export async function checkNewPassword(
  { db, passwords }: { db: Database; passwords: Passwords },
  clientId: number,
  given: { current: string; wanted: string },
): Promise<NewPassword> {
  const tries: Try[] = [{ budget: 'ownPassword', who: String(clientId) }]
  await spend(db, tries)
  const client = await findClient(db.read(), clientId)
  if (!(await passwords.matches(given.current, client?.passwordHash)))
    throw refuse('validation_failed', { fields: [{ path: 'current_password', rule: 'wrong' }] })
  refuseWeak(given.wanted, client!, 'new_password')
  return { clientId, before: client!.passwordHash, hash: await passwords.hash(given.wanted), tries }
}

/** Gives a client his new password, and ends his sessions everywhere else. */
export async function changePassword(tx: Tx, it: NewPassword, sessionId: string): Promise<Client> {
  const client = await lockClient(tx, it.clientId)
  if (client?.passwordHash !== it.before) throw refuse('conflict', { field: 'current_password' })
  giveBack(tx, it.tries)
  return setPassword(tx, { clientId: it.clientId, hash: it.hash, keepSession: sessionId })
}

/**
 * Sets a password, and ends every session but one and whatever applications were allowed: whoever knew the old
 * password is out.
 */
export async function setPassword(
  tx: Tx,
  { clientId, hash, keepSession }: { clientId: number; hash: string; keepSession: string | null },
): Promise<Client> {
  const changed = await setPasswordHash(tx, clientId, hash)
  await signOutEverywhere(tx, [clientId], keepSession)
  await revokeAuthorizationsOf(tx, clientId)
  await publish(tx, { type: 'PasswordChanged', clientId })
  return changed
}
