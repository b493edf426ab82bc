// Applications on the wire: in through `body`, out through a view.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post } from '../../http/route.ts'
import { changes, instant, list, name, nullable, oneOf, strict, text } from '../../http/schema.ts'
import { scopes } from '../../http/scopes.ts'
import { type Application, applicationTypes } from '../application.ts'
import { changeApplication } from '../change-application.ts'
import { deleteApplication } from '../delete-application.ts'
import { registerApplication } from '../register-application.ts'
import * as store from '../store/applications.ts'
import { listSecrets } from '../store/secrets.ts'
import {
  apiKey,
  clientId,
  clientSecret,
  holderOf,
  keyReply,
  keyView,
  rateLimit,
  scopeList,
  secretReply,
  secretView,
  soundRate,
} from './credentials-wire.ts'

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

const redirectUrl = text({
  max: 2_000,
  description:
    'Where OAuth leads back to, matched character by character: no fragment, no credentials. A mobile application may have a scheme of its own with a dot in it, such as `uz.shop.app:/signed-in`.',
  examples: ['https://shop.example/signed-in'],
})

const applicationFields = {
  name: name(200, 'Mobile app'),
  scopes: scopeList,
  redirect_urls: Type.Optional(list(redirectUrl, 20)),
  rate_limit: Type.Optional(nullable(rateLimit)),
}
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
    params: { client_id: clientId },
    reply: Type.Object({ application: applicationReply, keys: list(keyReply), secrets: list(secretReply) }),
    run: async ({ read, params }) => {
      const application = await store.findApplication(read, params.client_id)
      if (!application) throw refuse('not_found')
      const keys = await store.listKeys(read, application.clientId)
      const secrets = await listSecrets(read, application.clientId)
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
        redirectUrls: redirect_urls,
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
        ...(redirect_urls && { redirectUrls: redirect_urls }),
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
]
