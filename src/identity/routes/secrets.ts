// Client secrets on the wire.

import { Type } from 'typebox'
import { post } from '../../http/route.ts'
import { list, text } from '../../http/schema.ts'
import { revokeSecret } from '../revoke-secret.ts'
import { rotateSecret } from '../rotate-secret.ts'
import {
  clientId,
  clientSecret,
  holderOf,
  overlapBody,
  overlapOf,
  secretReply,
  secretView,
} from './credentials-wire.ts'

const secretId = text({ max: 60, pattern: '^sec_[0-9A-Za-z]{20}$', examples: ['sec_6fJ2mQ9vXc1aTzR8wK3b'] })

export const secretRoutes = [
  post('/v1/admin/applications/{client_id}/secrets/rotate', {
    summary: 'Change the client secret',
    description:
      'Makes a new secret, which is shown once. Older ones work until the overlap is over. Mobile applications have none.',
    scope: 'admin:write',
    params: { client_id: clientId },
    body: overlapBody,
    reply: Type.Object({ secret: secretReply, replaced: list(secretReply), client_secret: clientSecret }),
    creates: true,
    secrets: ['client_secret'],
    refusals: ['conflict'],
    run: async ({ tx, params, body, principal }) => {
      const wish = { overlapSeconds: overlapOf(body), holder: holderOf(principal) }
      const made = await rotateSecret(tx, params.client_id, wish)
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
    params: { client_id: clientId, secret_id: secretId },
    reply: Type.Object({ secret: secretReply }),
    run: async ({ tx, params }) => ({
      data: { secret: secretView(await revokeSecret(tx, params.client_id, params.secret_id)) },
    }),
  }),
]
