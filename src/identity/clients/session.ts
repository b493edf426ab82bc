// Sessions of clients. The cookie is a secret that shows its environment; only its hash is stored.

import { dayMs } from '../../base/clock.ts'
import type { Environment } from '../../base/database.ts'
import { secretText, sha256 } from '../../base/random.ts'
import type { Scope } from '../../http/scopes.ts'

export interface Session {
  id: string
  clientId: number
  /** The user agent and network that opened the session. */
  userAgent: string
  network: string
  createdAt: Date
  lastUsedAt: Date
  endedAt: Date | null
}

export const sessionCookie = 'bozor_session'

export const idleLifetimeMs = 30 * dayMs
export const absoluteLifetimeMs = 90 * dayMs

/** Scopes of a client's own session. */
export const clientScopes: readonly Scope[] = [
  'catalog:read',
  'cart:read',
  'cart:write',
  'orders:read',
  'orders:write',
  'profile:read',
  'profile:write',
]

/** The oldest session ends when another one begins. */
export const maxSessions = 50

const secretLength = 43
const sessionForm = new RegExp(`^bs_(live|test)_[0-9A-Za-z]{${secretLength}}$`)

export function newSessionSecret(environment: Environment): { id: string; secret: string; hash: Buffer } {
  const secret = `bs_${environment}_${secretText(secretLength)}`
  return { id: `ses_${secretText(20)}`, secret, hash: sha256(secret) }
}

export const environmentOfSession = (text: string): Environment | undefined =>
  sessionForm.exec(text)?.[1] as Environment | undefined

/** An id for a guest. Nothing is stored until the guest fills a cart. */
export const newGuestSessionId = (environment: Environment): string => `gs_${environment}_${secretText(32)}`
