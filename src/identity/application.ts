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

/** Whether OAuth may lead back there: an address of the web, with no fragment and no credentials (RFC 6749 3.1.2). */
export function isRedirectUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    !text.includes('#') &&
    !url.username &&
    !url.password
  )
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
