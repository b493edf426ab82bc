// Keys and their use on the wire.

import { Type } from 'typebox'
import { instantOf, instantText } from '../../http/instant.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post } from '../../http/route.ts'
import { flag, list, name, nullable, oneOf, strict } from '../../http/schema.ts'
import { issueKey } from '../issue-key.ts'
import { revokeKey } from '../revoke-key.ts'
import { rotateKey } from '../rotate-key.ts'
import * as store from '../store/applications.ts'
import {
  apiKey,
  clientId,
  holderOf,
  keyId,
  keyReply,
  keyView,
  overlapBody,
  overlapOf,
  rateLimit,
  scopeList,
  soundRate,
} from './credentials-wire.ts'

export const keyRoutes = [
  get('/v1/admin/keys', {
    summary: 'List the keys of all applications',
    scope: 'admin:read',
    query: listQuery(store.keySorts, {
      client_id: Type.Optional(clientId),
      state: Type.Optional(oneOf(store.keyStates)),
      due_for_rotation: Type.Optional({
        ...flag,
        description: 'Those that work and are older than 90 days; false for all the others.',
      } as typeof flag),
    }),
    reply: Type.Object({ keys: list(keyReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, 'created_at')
      const filter = {
        clientId: query.client_id,
        state: query.state,
        isDue: query.due_for_rotation,
      }
      const slice = await store.listAllKeys(read, filter, listing)
      return { data: { keys: slice.rows.map(keyView), pagination: paginationView(listing, slice) } }
    },
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
    body: overlapBody,
    reply: Type.Object({ key: keyReply, replaced: keyReply, api_key: apiKey }),
    creates: true,
    secrets: ['api_key'],
    refusals: ['invalid_transition'],
    run: async ({ tx, params, body, principal }) => {
      const wish = {
        keyId: params.key_id,
        overlapSeconds: overlapOf(body),
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
