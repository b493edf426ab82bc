import { guestPublicId } from '../../base/buyer.ts'
import type { Database, Environment, Tx } from '../../base/database.ts'
import type { Log } from '../../base/log.ts'
import { publish, publishAll } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import type { Shop } from '../../base/shop.ts'
import { networkOf } from '../../http/admission.ts'
import type { RequestContext, Principal } from '../../http/route.ts'
import { refundAttempts, countAttempts, type Attempt } from '../attempts-store.ts'
import type { CredentialKind } from '../credential-cache.ts'
import type { Passwords } from '../passwords.ts'
import { type Client, type ClientWithHash, contactOf } from './client.ts'
import type { FindClientsWithData } from './register-client.ts'
import {
  absoluteLifetimeMs,
  clientScopes,
  environmentOfSession,
  idleLifetimeMs,
  maxSessions,
  newSessionSecret,
  type Session,
  sessionCookie,
} from './session.ts'
import * as store from './store.ts'
import { findClientByContact, lockClient } from './store.ts'

export interface Browser {
  userAgent: string
  network: string
  /** The previous session of the browser; it ends, so that no session id survives a sign-in. */
  before: { id: string; clientId: number } | null
  /** The guest session id used so far, if given. */
  guestSession?: string | undefined
  /** Ids of the client in other systems, if given. */
  externalIds?: readonly string[] | undefined
}

/** A new session. The secret is returned here and never again. */
export interface Opened {
  client: Client
  session: Session
  secret: string
}

/** Opens a session for a client whose password was correct. */
export async function signIn(tx: Tx, { client, attempts }: CheckedClaim, browser: Browser): Promise<Opened> {
  const locked = client && (await lockClient(tx, client.id))
  // The password may have changed while its hash was compared.
  if (!locked || locked.passwordHash !== client.passwordHash) throw refuse('invalid_credentials')

  const opened = await openSession(tx, locked, browser)
  refundAttempts(tx, attempts)
  return opened
}

/** Opens a session for an existing client. */
export async function openSession(tx: Tx, known: Client, browser: Browser): Promise<Opened> {
  const client = await claimExternalIds(tx, known, browser.externalIds ?? [])
  const { id, secret, hash } = newSessionSecret(tx.environment)
  const { userAgent, network, before, guestSession } = browser
  const ended = before && (await store.endSession(tx, before.clientId, before.id))
  const session = await store.insertSession(tx, { id, clientId: client.id, userAgent, network }, hash)
  const oldest = await store.endOldestSessions(tx, client.id, maxSessions)
  publishAll(tx, [...(ended ? [ended] : []), ...oldest].map(signedOut))
  const guestId = guestSession === undefined ? null : guestPublicId(guestSession)
  publish(tx, { type: 'ClientSignedIn', sessionId: id, clientId: client.id, guestId })
  return { client, session, secret }
}

export const signedOut = ({ id, clientId }: { id: string; clientId: number }) =>
  ({ type: 'ClientSignedOut', sessionId: id, clientId }) as const

export interface SignInClaim {
  /** A phone number or an e-mail address as typed. */
  login: string
  password: string
  /** Null when a server application calls for its buyers, who share its network. */
  network: string | null
}

/** A checked claim: the client if the password was correct, and the counted attempts. */
export interface CheckedClaim {
  client: ClientWithHash | undefined
  attempts: Attempt[]
}

/**
 * Finds the client for a login and password. Unknown clients, clients without a password and wrong passwords take the
 * same time and give the same result. Slow, so it runs outside of transactions.
 */
export async function checkPassword(
  { db, passwords }: { db: Database; passwords: Passwords },
  { login, password, network }: SignInClaim,
): Promise<CheckedClaim> {
  const contact = contactOf(login)
  const who = contact === undefined ? login : JSON.stringify(contact)
  const attempts: Attempt[] = [
    { budget: 'signInAccount', who },
    ...(network === null ? [] : [{ budget: 'signInNetwork' as const, who: network }]),
  ]
  await countAttempts(db, attempts)
  const found = await findClientByContact(db.read(), contact ?? { kind: 'email', email: '' })
  const isMatch = await passwords.matches(password, found?.passwordHash)
  return { client: isMatch ? found : undefined, attempts }
}

/** Ends a session and returns whether it existed. Idempotent. */
export async function signOut(tx: Tx, clientId: number, sessionId: string): Promise<boolean> {
  const ended = await store.endSession(tx, clientId, sessionId)
  publishAll(tx, ended ? [signedOut(ended)] : [])
  return ended !== undefined
}

/** Ends all sessions of clients except one, and returns their number. */
export async function signOutEverywhere(
  tx: Tx,
  clientIds: readonly number[],
  except: string | null = null,
): Promise<number> {
  const ended = await store.endSessionsOf(tx, clientIds, except)
  publishAll(tx, ended.map(signedOut))
  return ended.length
}

export const maxExternalIds = 100
const uuidExample = '0192f0c1-7a4e-4c3b-9d2e-5f6a7b8c9d0e'
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Devices may claim only ids that cannot be guessed (UUIDs); server applications may claim any. */
export function refuseGuessable(ids: readonly string[], principal: Principal | null): void {
  if (principal?.application?.type === 'server') return
  const fields = ids.flatMap((id, at) =>
    uuidForm.test(id) ? [] : [{ path: `external_ids.${at}`, rule: 'format', limit: uuidExample }],
  )
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}

/** Links ids of other systems with the client; interactions under them count as the client's. */
export async function claimExternalIds(tx: Tx, client: Client, ids: readonly string[]): Promise<Client> {
  const fresh = [...new Set(ids)].filter((it) => !client.externalIds.includes(it))
  if (fresh.length === 0) return client
  if (client.externalIds.length + fresh.length > maxExternalIds)
    throw refuse('validation_failed', {
      fields: [{ path: 'external_ids', rule: 'max_items', limit: maxExternalIds }],
    })
  const known = await store.addExternalIds(tx, client.id, fresh)
  publish(tx, { type: 'ClientChanged', clientId: client.id })
  return known
}

const scopes = new Set(clientScopes)

/** `bs_live_…` and `bs_test_…` in a cookie: a client in a browser. */
export const sessionCredential: CredentialKind = {
  carrier: 'cookie',
  cookie: sessionCookie,
  environmentOf: environmentOfSession,
  find: async (read, hash) => {
    const session = await store.findSessionByHash(read, hash)
    return (
      session && {
        principal: {
          id: session.id,
          environment: read.environment,
          actor: { kind: 'client', clientId: session.clientId },
          application: null,
          scopes,
          rate: undefined,
        },
        hash: session.hash,
        dependsOn: [`session/${session.id}`, `client/${session.clientId}`],
        revokedAt: session.endedAt,
        expiresAt: new Date(session.createdAt.getTime() + absoluteLifetimeMs),
        idle: { lastUsedAt: session.lastUsedAt, lifetimeMs: idleLifetimeMs },
      }
    )
  },
  recordUse: store.recordUse,
}

/** Dependencies of the client routes and pages. */
export interface ClientDeps {
  shops: Record<Environment, Shop>
  passwords: Passwords
  clientsWithData: FindClientsWithData
  log: Log
}

/** The network whose attempts are counted; null for server applications, whose buyers share one network. */
export const countedNetwork = (principal: Principal | null, ip: string): string | null =>
  principal?.actor.kind === 'application' && principal.application?.type === 'server' ? null : networkOf(ip)

const maxUserAgentLength = 300

export const browserOf = ({
  principal,
  ip,
  userAgent = '',
}: Pick<RequestContext, 'principal' | 'ip' | 'userAgent'>): Browser => ({
  userAgent: userAgent.slice(0, maxUserAgentLength),
  network: networkOf(ip),
  before:
    principal?.actor.kind === 'client' && principal.application === null
      ? { id: principal.id, clientId: principal.actor.clientId }
      : null,
})
