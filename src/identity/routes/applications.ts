// Applications and keys on the wire: in through `body`, out through a view.

import { Type } from 'typebox'
import { rateOf } from '../../base/rate.ts'
import { refuse } from '../../base/refusal.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { instantOf, instantText } from '../../http/instant.ts'
import { del, get, patch, post, type Principal } from '../../http/route.ts'
import {
  changes,
  httpUrl,
  instant,
  integer,
  list,
  name,
  nullable,
  oneOf,
  strict,
  text,
} from '../../http/schema.ts'
import { scopes } from '../../http/scopes.ts'
import { type Application, applicationTypes, isRedirectUrl } from '../application.ts'
import { changeApplication } from '../change-application.ts'
import { deleteApplication } from '../delete-application.ts'
import { issueKey } from '../issue-key.ts'
import { type ApiKey, rotateAfterDays } from '../key.ts'
import { registerApplication } from '../register-application.ts'
import { revokeKey } from '../revoke-key.ts'
import { longestOverlapSeconds, rotateKey } from '../rotate-key.ts'
import * as store from '../store/applications.ts'

const scopeList = Type.Array(oneOf(scopes), { minItems: 1, maxItems: scopes.length, uniqueItems: true })
const rateLimit = text({
  max: 20,
  pattern: '^(none|[1-9][0-9]{0,8}/[0-9]{1,6}[smh])$',
  examples: ['100/10s'],
})
const clientId = text({
  max: 60,
  pattern: '^app_(live|test)_[0-9A-Za-z]{20}$',
  examples: ['app_test_6fJ2mQ9vXc1aTzR8wK3b'],
})
const keyId = text({ max: 60, pattern: '^key_[0-9A-Za-z]{20}$', examples: ['key_6fJ2mQ9vXc1aTzR8wK3b'] })

const applicationReply = Type.Object({
  client_id: Type.String({ examples: ['app_test_6fJ2mQ9vXc1aTzR8wK3b'] }),
  name: Type.String({ examples: ['Mobile app'] }),
  type: oneOf(applicationTypes),
  environment: oneOf(['live', 'test']),
  scopes: list(oneOf(scopes)),
  redirect_urls: list(Type.String({ examples: ['https://shop.example/signed-in'] })),
  rate_limit: nullable(Type.String({ examples: ['100/10s'] })),
  created_at: instant,
  updated_at: instant,
})

const keyReply = Type.Object({
  id: Type.String({ examples: ['key_6fJ2mQ9vXc1aTzR8wK3b'] }),
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
})

const applicationFields = {
  name: name(200, 'Mobile app'),
  scopes: scopeList,
  redirect_urls: Type.Optional(list(httpUrl, 20)),
  rate_limit: Type.Optional(nullable(rateLimit)),
}
const secret = (example: string) =>
  nullable(Type.String({ description: 'Shown once; a repeated reply has null here.', examples: [example] }))
const clientSecret = secret('sk_test_…')
const apiKey = secret('ak_test_…')

const at = (it: Date | null) => it?.toISOString() ?? null

const applicationView = (it: Application) => ({
  client_id: it.clientId,
  name: it.name,
  type: it.type,
  environment: it.environment,
  scopes: it.scopes,
  redirect_urls: it.redirectUrls,
  rate_limit: it.rateLimit,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

const keyView = (it: ApiKey) => ({
  id: it.id,
  name: it.name,
  hint: it.hint,
  scopes: it.scopes,
  rate_limit: it.rateLimit,
  created_at: it.createdAt.toISOString(),
  rotate_by: new Date(it.createdAt.getTime() + rotateAfterDays * 86_400_000).toISOString(),
  expires_at: at(it.expiresAt),
  revoked_at: at(it.revokedAt),
  last_used_at: at(it.lastUsedAt),
  replaces: it.replaces,
})

const holderOf = (principal: Principal | null) => principal?.scopes ?? new Set<never>()

export const applicationRoutes = [
  get('/v1/admin/applications', {
    summary: 'List applications',
    scope: 'admin:read',
    query: listQuery(store.applicationSorts, {}),
    reply: Type.Object({ applications: list(applicationReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, 'created_at')
      const slice = await store.listApplications(read, listing)
      return {
        data: { applications: slice.rows.map(applicationView), pagination: paginationView(listing, slice) },
      }
    },
  }),
  get('/v1/admin/applications/{client_id}', {
    summary: 'Get an application with its keys',
    scope: 'admin:read',
    params: { client_id: clientId },
    reply: Type.Object({ application: applicationReply, keys: list(keyReply) }),
    run: async ({ read, params }) => {
      const application = await store.findApplication(read, params.client_id)
      if (!application) throw refuse('not_found')
      const keys = await store.listKeys(read, application.clientId)
      return {
        data: { application: applicationView(application), keys: keys.map(keyView) },
        version: application.version,
      }
    },
  }),
  post('/v1/admin/applications', {
    summary: 'Register an application',
    description:
      'Gives its credentials: a client id, a client secret (none for mobile) and a first API key with all the scopes. They are shown once.',
    scope: 'admin:write',
    body: strict({ ...applicationFields, type: oneOf(applicationTypes) }),
    reply: Type.Object({
      application: applicationReply,
      key: keyReply,
      client_secret: clientSecret,
      api_key: apiKey,
    }),
    creates: true,
    secrets: ['client_secret', 'api_key'],
    refusals: ['insufficient_permissions'],
    run: async ({ tx, body, principal }) => {
      const { redirect_urls = [], rate_limit = null, ...rest } = body
      const record = {
        ...rest,
        redirectUrls: soundRedirects(redirect_urls),
        rateLimit: soundRate(rate_limit),
      }
      const made = await registerApplication(tx, record, holderOf(principal))
      return {
        data: {
          application: applicationView(made.application),
          key: keyView(made.key),
          client_secret: made.clientSecret,
          api_key: made.apiKey,
        },
        version: made.application.version,
      }
    },
  }),
  patch('/v1/admin/applications/{client_id}', {
    summary: 'Change an application',
    scope: 'admin:write',
    params: { client_id: clientId },
    body: changes(applicationFields),
    reply: Type.Object({ application: applicationReply }),
    versioned: true,
    run: async ({ tx, params, body, ifMatch, principal }) => {
      const { redirect_urls, rate_limit, ...same } = body
      const wanted = {
        ...same,
        ...(redirect_urls && { redirectUrls: soundRedirects(redirect_urls) }),
        ...(rate_limit !== undefined && { rateLimit: soundRate(rate_limit) }),
      }
      const holder = holderOf(principal)
      const application = await changeApplication(tx, params.client_id, { changes: wanted, ifMatch, holder })
      return { data: { application: applicationView(application) }, version: application.version }
    },
  }),
  del('/v1/admin/applications/{client_id}', {
    summary: 'End an application and its keys',
    scope: 'admin:write',
    params: { client_id: clientId },
    reply: Type.Object({ application: applicationReply }),
    versioned: true,
    run: async ({ tx, params, ifMatch }) => ({
      data: { application: applicationView(await deleteApplication(tx, params.client_id, ifMatch)) },
    }),
  }),
  post('/v1/admin/applications/{client_id}/keys', {
    summary: 'Make a key',
    scope: 'admin:write',
    params: { client_id: clientId },
    body: strict({
      name: name(200, 'Warehouse'),
      scopes: Type.Optional(scopeList),
      rate_limit: Type.Optional(nullable(rateLimit)),
      expires_at: Type.Optional(nullable(instantText)),
    }),
    reply: Type.Object({ key: keyReply, api_key: apiKey }),
    creates: true,
    secrets: ['api_key'],
    refusals: ['conflict'],
    run: async ({ tx, params, body, principal }) => {
      const { name, scopes, rate_limit = null, expires_at = null } = body
      const wish = {
        name,
        scopes,
        rateLimit: soundRate(rate_limit),
        expiresAt: expires_at === null ? null : instantOf(expires_at, 'expires_at'),
      }
      const { key, apiKey } = await issueKey(tx, params.client_id, { wish, holder: holderOf(principal) })
      return { data: { key: keyView(key), api_key: apiKey } }
    },
  }),
  post('/v1/admin/applications/{client_id}/keys/{key_id}/rotate', {
    summary: 'Rotate a key',
    description: 'Makes a successor with the same rights. Both keys work until the overlap is over.',
    scope: 'admin:write',
    params: { client_id: clientId, key_id: keyId },
    body: strict({ overlap_seconds: Type.Optional(integer(0, longestOverlapSeconds, { default: 86_400 })) }),
    reply: Type.Object({ key: keyReply, replaced: keyReply, api_key: apiKey }),
    creates: true,
    secrets: ['api_key'],
    refusals: ['invalid_transition'],
    run: async ({ tx, params, body, principal }) => {
      const wish = {
        keyId: params.key_id,
        overlapSeconds: body.overlap_seconds ?? 86_400,
        holder: holderOf(principal),
      }
      const { key, replaced, apiKey } = await rotateKey(tx, params.client_id, wish)
      return { data: { key: keyView(key), replaced: keyView(replaced), api_key: apiKey } }
    },
  }),
  post('/v1/admin/applications/{client_id}/keys/{key_id}/revoke', {
    summary: 'Revoke a key',
    scope: 'admin:write',
    params: { client_id: clientId, key_id: keyId },
    reply: Type.Object({ key: keyReply }),
    run: async ({ tx, params }) => ({
      data: { key: keyView(await revokeKey(tx, params.client_id, params.key_id)) },
    }),
  }),
]

/** The pattern lets a fragment pass; OAuth does not. */
function soundRedirects(urls: string[]): string[] {
  const at = urls.findIndex((it) => !isRedirectUrl(it))
  if (at >= 0)
    throw refuse('validation_failed', {
      fields: [{ path: `redirect_urls.${at}`, rule: 'format', limit: 'https://shop.example/signed-in' }],
    })
  return urls
}

/** The pattern lets `5/0s` pass; the rate itself does not. */
function soundRate(rate: string | null): string | null {
  if (rate !== null && rateOf(rate) === undefined)
    throw refuse('validation_failed', { fields: [{ path: 'rate_limit', rule: 'format', limit: '100/10s' }] })
  return rate
}
