// What may call us, and what it may be allowed to do.

import type { Environment } from '../base/db.ts'
import { secretText } from '../base/random.ts'
import { type Refusal, refuse } from '../base/refusal.ts'
import type { Scope } from '../http/scopes.ts'

export const applicationTypes = ['web', 'mobile', 'server'] as const
export type ApplicationType = (typeof applicationTypes)[number]

export interface Application {
  clientId: string
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
/** A domain turned around (RFC 8252 7.1): the dot keeps out `javascript:`, `data:` and their like. */
const ownScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:/

/**
 * Whether OAuth may lead back there: an address of the web with no fragment and no credentials (RFC 6749 3.1.2). A
 * mobile application may also have a scheme of its own; plain HTTP leads it to the device alone, where HTTPS does not.
 */
export function isRedirectUrl(text: string, type: ApplicationType): boolean {
  const url = /^[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url || text.includes('#') || url.username || url.password) return false
  const isOwn = ownScheme.test(text)
  if (type !== 'mobile') return /^https?:$/.test(url.protocol) && !isOwn
  return isOwn || url.protocol === (loopback.test(url.hostname) ? 'http:' : 'https:')
}

/** The first address that OAuth must not lead back to. */
export function badRedirect(urls: readonly string[], type: ApplicationType): Refusal | undefined {
  const at = urls.findIndex((it) => !isRedirectUrl(it, type))
  const limit = type === 'mobile' ? 'uz.shop.app:/signed-in' : 'https://shop.example/signed-in'
  return at < 0
    ? undefined
    : refuse('validation_failed', { fields: [{ path: `redirect_urls.${at}`, rule: 'format', limit }] })
}

export const newClientId = (environment: Environment): string => `app_${environment}_${secretText(20)}`

/** Nobody can give away a right that he does not have. `holder` is null for the owner of the machine. */
export function widening(wanted: readonly Scope[], holder: ReadonlySet<Scope> | null): Refusal | undefined {
  const missing = holder ? wanted.filter((it) => !holder.has(it)) : []
  return missing.length > 0
    ? refuse('insufficient_permissions', { required_scopes: missing, current_scopes: [...holder!] })
    : undefined
}

/** A key may do at most what its application may. */
export function beyondApplication(wanted: readonly Scope[], application: Application): Refusal | undefined {
  const at = wanted.findIndex((it) => !application.scopes.includes(it))
  return at < 0
    ? undefined
    : refuse('validation_failed', {
        fields: [{ path: `scopes.${at}`, rule: 'choice', limit: application.scopes }],
      })
}
