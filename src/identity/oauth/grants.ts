// Grants: what a buyer allowed an application to do, and the chain of tokens issued for it.

import type { Tx } from '../../base/database.ts'
import { publish, publishAll } from '../../base/outbox.ts'
import { rateOf } from '../../base/rate.ts'
import { refuse } from '../../base/refusal.ts'
import type { CredentialKind } from '../credential-cache.ts'
import * as store from './store.ts'
import { findAccessToken } from './store.ts'
import { environmentOfToken } from './token.ts'

export async function grantAuthorization(tx: Tx, grant: store.Grant): Promise<void> {
  store.insertGrant(tx, grant)
  const { id: grantId, ...fields } = grant
  publish(tx, { type: 'AuthorizationGranted', grantId, ...fields })
}

/** Revokes a grant with all its tokens, in every process. Idempotent. */
export async function revokeAuthorization(
  tx: Tx,
  grantId: string,
  reason: 'requested' | 'code_reused' | 'refresh_token_reused',
): Promise<void> {
  const ended = await store.revokeGrant(tx, grantId)
  if (!ended) return
  const { applicationId, buyerId } = ended
  publish(tx, { type: 'TokensRevoked', grantId, applicationId, buyerId })
  if (reason === 'refresh_token_reused')
    publish(tx, { type: 'RefreshTokenReused', grantId, applicationId, buyerId })
}

/** Revokes all grants and consents of a buyer. */
export async function revokeAuthorizationsOf(tx: Tx, buyerId: number): Promise<void> {
  store.deleteConsents(tx, buyerId)
  await revokeGrants(tx, buyerId, null)
}

/** Revokes what a buyer allowed one application; it must ask for consent again. */
export async function withdrawConsent(tx: Tx, buyerId: number, applicationId: string): Promise<void> {
  if (!(await store.deleteConsent(tx, buyerId, applicationId))) throw refuse('not_found')
  await revokeGrants(tx, buyerId, applicationId)
}

async function revokeGrants(tx: Tx, buyerId: number, applicationId: string | null): Promise<void> {
  const ended = await store.revokeGrantsOf(tx, buyerId, applicationId)
  publishAll(
    tx,
    ended.map((it) => ({ type: 'TokensRevoked', grantId: it.id, applicationId: it.applicationId, buyerId })),
  )
}

/** Revokes one token; the others of its grant stay valid. */
export async function revokeOneToken(tx: Tx, hash: Buffer): Promise<void> {
  const ended = await store.revokeToken(tx, hash)
  if (ended)
    publish(tx, { type: 'TokenRevoked', tokenId: tokenIdOf(hash), applicationId: ended.applicationId })
}

/** Names a token in events and counters without revealing it. */
export const tokenIdOf = (hash: Buffer): string => `tok_${hash.toString('base64url').slice(0, 20)}`

/**
 * `at_live_…` and `at_test_…`: an application acting for a buyer or for itself. The principal id is made of both and
 * not of the token, so that counters and idempotency keys survive a refresh.
 */
export const accessTokenCredential: CredentialKind = {
  carrier: 'bearer',
  environmentOf: (text) => environmentOfToken(text, 'access'),
  find: async (read, hash) => {
    const token = await findAccessToken(read, hash)
    if (!token) return undefined
    const { applicationId, buyerId, grantId } = token
    return {
      principal: {
        id: buyerId === null ? applicationId : `${applicationId}.${buyerId}`,
        environment: read.environment,
        actor: buyerId === null ? { kind: 'application' } : { kind: 'client', clientId: buyerId },
        application: { id: applicationId, type: token.type },
        scopes: new Set(token.scopes),
        rate: token.rateLimit === null ? undefined : rateOf(token.rateLimit),
      },
      hash,
      dependsOn: [
        `token/${tokenIdOf(hash)}`,
        `application/${applicationId}`,
        ...(grantId === null ? [] : [`grant/${grantId}`, `client/${buyerId}`]),
      ],
      revokedAt: token.revokedAt,
      expiresAt: token.expiresAt,
    }
  },
}
