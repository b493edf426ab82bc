import { guestName } from '../base/buyer.ts'
import type { Tx } from '../base/db.ts'
import { publish, publishAll } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { giveBack } from './attempts.ts'
import { claimExternalIds } from './claim-external-ids.ts'
import type { CheckedClaim } from './check-password.ts'
import type { Client } from './client.ts'
import { mostSessions, newSessionSecret, type Session } from './session.ts'
import { lockClient } from './store/clients.ts'
import * as store from './store/sessions.ts'

export interface Browser {
  userAgent: string
  network: string
  /** The session that the browser had until now; it ends, so that no id outlives a sign-in. */
  before: { id: string; clientId: number } | null
  /** The session under which its user was a guest until now, if he says so. */
  guestSession?: string | undefined
  /** By which other systems know him, as far as he says so. */
  externalIds?: readonly string[] | undefined
}

/** A session that has just begun. The secret is returned here and never again. */
export interface Opened {
  client: Client
  session: Session
  secret: string
}

/** Opens a session for a client whose password was right. */
export async function signIn(tx: Tx, { client, tries }: CheckedClaim, browser: Browser): Promise<Opened> {
  const locked = client && (await lockClient(tx, client.id))
  // The password may have been changed while its hash was compared.
  if (!locked || locked.passwordHash !== client.passwordHash)
    throw refuse('unauthorized', { reason: 'unknown' })

  const opened = await openSession(tx, locked, browser)
  giveBack(tx, tries)
  return opened
}

/** Opens a session for a client who is known to be there. */
export async function openSession(tx: Tx, known: Client, browser: Browser): Promise<Opened> {
  const client = await claimExternalIds(tx, known, browser.externalIds ?? [])
  const { id, secret, hash } = newSessionSecret(tx.environment)
  const { userAgent, network, before, guestSession } = browser
  const ended = before && (await store.endSession(tx, before.clientId, before.id))
  const session = await store.insertSession(tx, { id, clientId: client.id, userAgent, network }, hash)
  const oldest = await store.endOldestSessions(tx, client.id, mostSessions)
  await publishAll(tx, [...(ended ? [ended] : []), ...oldest].map(signedOut))
  const guestId = guestSession === undefined ? null : guestName(guestSession)
  await publish(tx, { type: 'ClientSignedIn', sessionId: id, clientId: client.id, guestId })
  return { client, session, secret }
}

export const signedOut = ({ id, clientId }: { id: string; clientId: number }) =>
  ({ type: 'ClientSignedOut', sessionId: id, clientId }) as const
