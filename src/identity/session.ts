// A client in his browser. The cookie is a secret that names the environment; we keep only its hash.

import type { Environment } from '../base/db.ts'
import { secretText, sha256 } from '../base/random.ts'
import type { Scope } from '../http/scopes.ts'

export interface Session {
  id: string
  clientId: number
  /** The program that opened it, as it calls itself, and the network it came from. */
  userAgent: string
  network: string
  createdAt: Date
  lastUsedAt: Date
  endedAt: Date | null
}

export const sessionCookie = 'bozor_session'

const day = 86_400_000
export const idleLifetimeMs = 30 * day
export const absoluteLifetimeMs = 90 * day

/** What a client may do with his own things. */
export const clientScopes: readonly Scope[] = [
  'catalog:read',
  'cart:read',
  'cart:write',
  'orders:read',
  'orders:write',
]

/** More browsers than anybody has; the oldest session ends when one more begins. */
export const mostSessions = 50

const secretLength = 43
const sessionForm = new RegExp(`^bs_(live|test)_[0-9A-Za-z]{${secretLength}}$`)

export function newSessionSecret(environment: Environment): { id: string; secret: string; hash: Buffer } {
  const secret = `bs_${environment}_${secretText(secretLength)}`
  return { id: `ses_${secretText(20)}`, secret, hash: sha256(secret) }
}

export const environmentOfSession = (text: string): Environment | undefined =>
  sessionForm.exec(text)?.[1] as Environment | undefined

/** Names a guest. Nothing is kept of him until he puts something into a cart. */
export const newGuestSessionId = (environment: Environment): string => `gs_${environment}_${secretText(32)}`
