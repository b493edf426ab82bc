// Schemas and views shared by the routes of applications, keys and secrets.

import { Type } from 'typebox'
import { dayMs } from '../../base/clock.ts'
import { rateOf } from '../../base/rate.ts'
import { refuse } from '../../base/refusal.ts'
import type { Principal } from '../../http/route.ts'
import { instant, integer, list, nullable, oneOf, shownOnce, strict, text, named } from '../../http/schema.ts'
import { type Scope, scopes } from '../../http/scopes.ts'
import { entityId } from '../entity-id.ts'
import { maxOverlapSeconds } from './api-keys.ts'
import { type ApiKey, type ClientSecret, rotateAfterDays } from './credentials.ts'

export const scopeList = Type.Array(oneOf(scopes), {
  minItems: 1,
  maxItems: scopes.length,
  uniqueItems: true,
})
export const rateLimit = text({
  max: 20,
  pattern: '^(none|[1-9][0-9]{0,8}/[0-9]{1,6}[smh])$',
  examples: ['100/10s'],
})
export const applicationId = text({
  max: 60,
  pattern: '^app_(live|test)_[0-9A-Za-z]{20}$',
  examples: ['app_test_6fJ2mQ9vXc1aTzR8wK3b'],
})
export const keyId = entityId('key')

export const keyReply = named(
  'ApiKey',
  Type.Object({
    id: Type.String({ examples: ['key_6fJ2mQ9vXc1aTzR8wK3b'] }),
    client_id: Type.String({ examples: ['app_test_6fJ2mQ9vXc1aTzR8wK3b'] }),
    name: Type.String({ examples: ['Warehouse'] }),
    hint: Type.String({ examples: ['ak_test_…x7Qa'] }),
    scopes: list(oneOf(scopes)),
    rate_limit: nullable(Type.String({ examples: ['100/10s'] })),
    created_at: instant,
    rotate_by: instant,
    expires_at: nullable(instant),
    revoked_at: nullable(instant),
    last_used_at: nullable(instant),
    replaces: nullable(Type.String({ examples: ['key_1bC4dE7fG0hJ3kL6mN9p'] })),
  }),
)

const secret = (example: string) => shownOnce(Type.String({ examples: [example] }))
export const clientSecret = secret('sk_test_…')
export const apiKey = secret('ak_test_…')

export const at = (it: Date | null) => it?.toISOString() ?? null

export const keyView = (it: ApiKey) => ({
  id: it.id,
  client_id: it.applicationId,
  name: it.name,
  hint: it.hint,
  scopes: it.scopes,
  rate_limit: it.rateLimit,
  created_at: it.createdAt.toISOString(),
  rotate_by: new Date(it.createdAt.getTime() + rotateAfterDays * dayMs).toISOString(),
  expires_at: at(it.expiresAt),
  revoked_at: at(it.revokedAt),
  last_used_at: at(it.lastUsedAt),
  replaces: it.replaces,
})

export const secretReply = named(
  'ClientSecret',
  Type.Object({
    id: Type.String({ examples: ['sec_6fJ2mQ9vXc1aTzR8wK3b'] }),
    hint: Type.String({ examples: ['sk_test_…x7Qa'] }),
    created_at: instant,
    expires_at: nullable(instant),
    revoked_at: nullable(instant),
  }),
)

export const secretView = (it: ClientSecret) => ({
  id: it.id,
  hint: it.hint,
  created_at: it.createdAt.toISOString(),
  expires_at: at(it.expiresAt),
  revoked_at: at(it.revokedAt),
})

const defaultOverlapSeconds = 86_400

/** How long the replaced credential stays valid. */
export const overlapBody = strict({
  overlap_seconds: Type.Optional(integer(0, maxOverlapSeconds, { default: defaultOverlapSeconds })),
})
export const overlapOf = (body: { overlap_seconds?: number }): number =>
  body.overlap_seconds ?? defaultOverlapSeconds

/** The scopes that the caller may pass on. */
export const callerScopesOf = (principal: Principal | null) => principal?.scopes ?? new Set<Scope>()

/** The pattern accepts `5/0s`, which is not a rate. */
export function validRate(rate: string | null): string | null {
  if (rate !== null && rateOf(rate) === undefined)
    throw refuse('validation_failed', { fields: [{ path: 'rate_limit', rule: 'format', limit: '100/10s' }] })
  return rate
}
