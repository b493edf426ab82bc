// HTTP routes of API keys and client secrets.

import { Type } from 'typebox'
import { instantOf, instantText } from '../../http/instant.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post } from '../../http/route.ts'
import { flag, list, name, nullable, oneOf, strict } from '../../http/schema.ts'
import { entityId } from '../entity-id.ts'
import { issueKey, revokeKey, rotateKey } from './api-keys.ts'
import { revokeSecret, rotateSecret } from './client-secrets.ts'
import * as store from './store.ts'
import {
  apiKey,
  applicationId,
  clientSecret,
  callerScopesOf,
  keyId,
  keyReply,
  keyView,
  overlapBody,
  overlapOf,
  rateLimit,
  scopeList,
  secretReply,
  secretView,
  validRate,
} from './wire.ts'

export const keyRoutes = [
  get('/v1/admin/keys', {
    summary: 'List the keys of all applications',
    scope: 'admin:read',
    query: listQuery(store.keySorts, {
      client_id: Type.Optional(applicationId),
      state: Type.Optional(oneOf(store.keyStates)),
      due_for_rotation: Type.Optional({
        ...flag,
        description: 'True: valid keys older than 90 days; false: all others.',
      } as typeof flag),
    }),
    reply: Type.Object({ keys: list(keyReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, 'created_at')
      const filter = {
        applicationId: query.client_id,
        state: query.state,
        isDue: query.due_for_rotation,
      }
      const slice = await store.listAllKeys(read, filter, listing)
      return { data: { keys: slice.rows.map(keyView), pagination: paginationView(listing, slice) } }
    },
  }),
  post('/v1/admin/applications/{client_id}/keys', {
    summary: 'Create a key',
    scope: 'admin:write',
    params: { client_id: applicationId },
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
      const input = {
        name,
        scopes,
        rateLimit: validRate(rate_limit),
        expiresAt: expires_at === null ? null : instantOf(expires_at, 'expires_at'),
      }
      const { key, apiKey } = await issueKey(tx, params.client_id, {
        input,
        callerScopes: callerScopesOf(principal),
      })
      return { data: { key: keyView(key), api_key: apiKey } }
    },
  }),
  post('/v1/admin/applications/{client_id}/keys/{key_id}/rotate', {
    summary: 'Rotate a key',
    description: 'Creates a successor with the same scopes. Both keys work until the overlap ends.',
    scope: 'admin:write',
    params: { client_id: applicationId, key_id: keyId },
    body: overlapBody,
    reply: Type.Object({ key: keyReply, replaced: keyReply, api_key: apiKey }),
    creates: true,
    secrets: ['api_key'],
    refusals: ['invalid_transition'],
    run: async ({ tx, params, body, principal }) => {
      const input = {
        keyId: params.key_id,
        overlapSeconds: overlapOf(body),
        callerScopes: callerScopesOf(principal),
      }
      const { key, replaced, apiKey } = await rotateKey(tx, params.client_id, input)
      return { data: { key: keyView(key), replaced: keyView(replaced), api_key: apiKey } }
    },
  }),
  post('/v1/admin/applications/{client_id}/keys/{key_id}/revoke', {
    summary: 'Revoke a key',
    scope: 'admin:write',
    params: { client_id: applicationId, key_id: keyId },
    reply: Type.Object({ key: keyReply }),
    run: async ({ tx, params }) => ({
      data: { key: keyView(await revokeKey(tx, params.client_id, params.key_id)) },
    }),
  }),
]

const secretId = entityId('sec')

export const secretRoutes = [
  post('/v1/admin/applications/{client_id}/secrets/rotate', {
    summary: 'Rotate the client secret',
    description:
      'Creates a new secret, which is shown once. Older ones work until the overlap ends. Mobile applications have no secret.',
    scope: 'admin:write',
    params: { client_id: applicationId },
    body: overlapBody,
    reply: Type.Object({ secret: secretReply, replaced: list(secretReply), client_secret: clientSecret }),
    creates: true,
    secrets: ['client_secret'],
    refusals: ['conflict'],
    run: async ({ tx, params, body, principal }) => {
      const input = { overlapSeconds: overlapOf(body), callerScopes: callerScopesOf(principal) }
      const made = await rotateSecret(tx, params.client_id, input)
      return {
        data: {
          secret: secretView(made.secret),
          replaced: made.replaced.map(secretView),
          client_secret: made.clientSecret,
        },
      }
    },
  }),
  post('/v1/admin/applications/{client_id}/secrets/{secret_id}/revoke', {
    summary: 'Revoke a client secret',
    scope: 'admin:write',
    params: { client_id: applicationId, secret_id: secretId },
    reply: Type.Object({ secret: secretReply }),
    run: async ({ tx, params }) => ({
      data: { secret: secretView(await revokeSecret(tx, params.client_id, params.secret_id)) },
    }),
  }),
]
