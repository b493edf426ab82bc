// HTTP routes of applications.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post } from '../../http/route.ts'
import { changes, instant, list, name, nullable, oneOf, strict, text, named } from '../../http/schema.ts'
import { scopes } from '../../http/scopes.ts'
import { type Application, applicationTypeOf, applicationTypes, specificationTypes } from './application.ts'
import { changeApplication, deleteApplication, registerApplication } from './applications.ts'
import { listSecrets } from './secret-store.ts'
import * as store from './store.ts'
import {
  apiKey,
  applicationId,
  clientSecret,
  callerScopesOf,
  keyReply,
  keyView,
  rateLimit,
  scopeList,
  secretReply,
  secretView,
  validRate,
} from './wire.ts'

const applicationReply = named(
  'Application',
  Type.Object({
    client_id: Type.String({ examples: ['app_test_6fJ2mQ9vXc1aTzR8wK3b'] }),
    name: Type.String({ examples: ['Mobile app'] }),
    type: oneOf(applicationTypes),
    environment: oneOf(['live', 'test']),
    scopes: list(oneOf(scopes)),
    redirect_urls: list(Type.String({ examples: ['https://shop.example/signed-in'] })),
    rate_limit: nullable(Type.String({ examples: ['100/10s'] })),
    created_at: instant,
    updated_at: instant,
  }),
)

const redirectUrl = text({
  max: 2_000,
  description:
    'An OAuth redirect URL, matched exactly; without fragment and credentials. A mobile application may use a custom scheme that contains a dot, such as `uz.shop.app:/signed-in`.',
  examples: ['https://shop.example/signed-in'],
})

const applicationFields = {
  name: name(200, 'Mobile app'),
  scopes: scopeList,
  redirect_urls: Type.Optional(list(redirectUrl, 20)),
  rate_limit: Type.Optional(nullable(rateLimit)),
}
const applicationView = (it: Application) => ({
  client_id: it.applicationId,
  name: it.name,
  type: it.type,
  environment: it.environment,
  scopes: it.scopes,
  redirect_urls: it.redirectUrls,
  rate_limit: it.rateLimit,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

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
    summary: 'Get an application with its keys and secrets',
    scope: 'admin:read',
    params: { client_id: applicationId },
    reply: Type.Object({ application: applicationReply, keys: list(keyReply), secrets: list(secretReply) }),
    run: async ({ read, params }) => {
      const application = await store.findApplication(read, params.client_id)
      if (!application) throw refuse('not_found')
      const keys = await store.listKeys(read, application.applicationId)
      const secrets = await listSecrets(read, application.applicationId)
      return {
        data: {
          application: applicationView(application),
          keys: keys.map(keyView),
          secrets: secrets.map(secretView),
        },
        version: application.version,
      }
    },
  }),
  post('/v1/admin/applications', {
    summary: 'Register an application',
    description:
      'Returns its credentials: a client id, a client secret (none for mobile) and an API key with all its scopes. Secrets are shown once.',
    scope: 'admin:write',
    body: strict({
      ...applicationFields,
      type: oneOf([...applicationTypes, ...specificationTypes], {
        description: 'The names of SPEC-1 are accepted too; replies have the short ones.',
      }),
    }),
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
      const { redirect_urls = [], rate_limit = null, type, ...rest } = body
      const record = {
        ...rest,
        type: applicationTypeOf(type)!,
        redirectUrls: redirect_urls,
        rateLimit: validRate(rate_limit),
      }
      const made = await registerApplication(tx, record, callerScopesOf(principal))
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
    params: { client_id: applicationId },
    body: changes(applicationFields),
    reply: Type.Object({ application: applicationReply }),
    versioned: true,
    run: async ({ tx, params, body, ifMatch, principal }) => {
      const { redirect_urls, rate_limit, ...same } = body
      const wanted = {
        ...same,
        ...(redirect_urls && { redirectUrls: redirect_urls }),
        ...(rate_limit !== undefined && { rateLimit: validRate(rate_limit) }),
      }
      const callerScopes = callerScopesOf(principal)
      const application = await changeApplication(tx, params.client_id, {
        changes: wanted,
        ifMatch,
        callerScopes,
      })
      return { data: { application: applicationView(application) }, version: application.version }
    },
  }),
  del('/v1/admin/applications/{client_id}', {
    summary: 'Delete an application and revoke its keys',
    scope: 'admin:write',
    params: { client_id: applicationId },
    reply: Type.Object({ application: applicationReply }),
    versioned: true,
    run: async ({ tx, params, ifMatch }) => ({
      data: { application: applicationView(await deleteApplication(tx, params.client_id, ifMatch)) },
    }),
  }),
]
