// Applications: programs that are registered to call the API, and the rules for their scopes and redirect URLs.

import type { Environment } from '../../base/database.ts'
import { secretText } from '../../base/random.ts'
import { type Refusal, refuse } from '../../base/refusal.ts'
import type { Scope } from '../../http/scopes.ts'

export const applicationTypes = ['web', 'mobile', 'server'] as const
export type ApplicationType = (typeof applicationTypes)[number]

/** The names of SPEC-1, accepted as input. */
export const specificationTypes = ['Web', 'Mobile', 'Server-to-Server'] as const

/** The type that a name means, in any case: `server` and `Server-to-Server` are equal. Undefined when unknown. */
export function applicationTypeOf(text: string): ApplicationType | undefined {
  const name = text.trim().toLowerCase()
  return name === 'server-to-server' ? 'server' : applicationTypes.find((it) => it === name)
}

export interface Application {
  applicationId: string
  environment: Environment
  name: string
  type: ApplicationType
  scopes: Scope[]
  redirectUrls: string[]
  rateLimit: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface ApplicationRecord {
  name: string
  type: ApplicationType
  scopes: Scope[]
  redirectUrls: string[]
  rateLimit: string | null
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/
/** A reversed domain name (RFC 8252 7.1). The required dot excludes `javascript:`, `data:` and similar schemes. */
const ownScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:/

/**
 * Whether OAuth may redirect there: a web address without fragment and credentials (RFC 6749 3.1.2). A mobile
 * application may also use its own scheme, or plain HTTP to the device itself.
 */
export function isRedirectUrl(text: string, type: ApplicationType): boolean {
  const url = /^[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url || text.includes('#') || url.username || url.password) return false
  const isOwn = ownScheme.test(text)
  if (type !== 'mobile') return /^https?:$/.test(url.protocol) && !isOwn
  return isOwn || url.protocol === (loopback.test(url.hostname) ? 'http:' : 'https:')
}

/** The refusal for the first invalid redirect URL. */
export function badRedirect(urls: readonly string[], type: ApplicationType): Refusal | undefined {
  const at = urls.findIndex((it) => !isRedirectUrl(it, type))
  const limit = type === 'mobile' ? 'uz.shop.app:/signed-in' : 'https://shop.example/signed-in'
  return at < 0
    ? undefined
    : refuse('validation_failed', { fields: [{ path: `redirect_urls.${at}`, rule: 'format', limit }] })
}

export const newApplicationId = (environment: Environment): string => `app_${environment}_${secretText(20)}`

/** A caller cannot grant a scope that it does not have. `callerScopes` is null for the command line. */
export function widening(
  wanted: readonly Scope[],
  callerScopes: ReadonlySet<Scope> | null,
): Refusal | undefined {
  const missing = callerScopes ? wanted.filter((it) => !callerScopes.has(it)) : []
  return missing.length > 0
    ? refuse('insufficient_permissions', { required_scopes: missing, current_scopes: [...callerScopes!] })
    : undefined
}

/** A key has at most the scopes of its application. */
export function beyondApplication(wanted: readonly Scope[], application: Application): Refusal | undefined {
  const at = wanted.findIndex((it) => !application.scopes.includes(it))
  return at < 0
    ? undefined
    : refuse('validation_failed', {
        fields: [{ path: `scopes.${at}`, rule: 'choice', limit: application.scopes }],
      })
}
