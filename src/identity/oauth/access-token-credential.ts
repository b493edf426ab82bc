import { rateOf } from '../../base/rate.ts'
import type { CredentialKind } from '../credential.ts'
import { findAccessToken } from '../store/oauth.ts'
import { tokenIdOf } from './grant.ts'
import { environmentOfToken } from './token.ts'

/**
 * `at_live_…` and `at_test_…`: an application that acts for a buyer, or for itself. The principal is named after both and
 * not after the token, so that a new token continues its counters and its idempotent calls.
 */
export const accessTokenCredential: CredentialKind = {
  carrier: 'bearer',
  environmentOf: (text) => environmentOfToken(text, 'access'),
  find: async (read, hash) => {
    const token = await findAccessToken(read, hash)
    if (!token) return undefined
    const { clientId, buyerId, grantId } = token
    return {
      principal: {
        id: buyerId === null ? clientId : `${clientId}.${buyerId}`,
        environment: read.environment,
        actor: buyerId === null ? { kind: 'application' } : { kind: 'client', clientId: buyerId },
        application: { id: clientId, type: token.type },
        scopes: new Set(token.scopes),
        rate: token.rateLimit === null ? undefined : rateOf(token.rateLimit),
      },
      hash,
      standsOn: [
        `token/${tokenIdOf(hash)}`,
        `application/${clientId}`,
        ...(grantId === null ? [] : [`grant/${grantId}`, `client/${buyerId}`]),
      ],
      revokedAt: token.revokedAt,
      expiresAt: token.expiresAt,
    }
  },
}
