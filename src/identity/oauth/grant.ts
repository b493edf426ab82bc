// The use cases of a grant: what a buyer allowed an application to do, and the chain of tokens that follows from it.

import type { Tx } from '../../base/db.ts'
import { publish, publishAll } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import * as store from '../store/oauth.ts'

/** Gives an application the right to act for a buyer. */
export async function grantAuthorization(tx: Tx, grant: store.Grant): Promise<void> {
  store.insertGrant(tx, grant)
  const { id: grantId, ...fields } = grant
  await publish(tx, { type: 'AuthorizationGranted', grantId, ...fields })
}

/** Ends a grant and all its tokens at once, on every process. Ending it again changes nothing. */
export async function revokeAuthorization(
  tx: Tx,
  grantId: string,
  reason: 'asked' | 'code_reused' | 'refresh_token_reused',
): Promise<void> {
  const ended = await store.revokeGrant(tx, grantId)
  if (!ended) return
  const { clientId, buyerId } = ended
  await publish(tx, { type: 'TokensRevoked', grantId, clientId, buyerId })
  if (reason === 'refresh_token_reused')
    await publish(tx, { type: 'RefreshTokenReused', grantId, clientId, buyerId })
}

/** Ends everything that a buyer let applications do, and what he is remembered to have allowed. */
export async function revokeAuthorizationsOf(tx: Tx, buyerId: number): Promise<void> {
  store.forgetConsents(tx, buyerId)
  await revokeGrants(tx, buyerId, null)
}

/** Ends everything that a buyer let one application do: it has to ask him again. */
export async function withdrawConsent(tx: Tx, buyerId: number, clientId: string): Promise<void> {
  if (!(await store.forgetConsent(tx, buyerId, clientId))) throw refuse('not_found')
  await revokeGrants(tx, buyerId, clientId)
}

async function revokeGrants(tx: Tx, buyerId: number, clientId: string | null): Promise<void> {
  const ended = await store.revokeGrantsOf(tx, buyerId, clientId)
  await publishAll(
    tx,
    ended.map((it) => ({ type: 'TokensRevoked', grantId: it.id, clientId: it.clientId, buyerId })),
  )
}

/** Ends one token and leaves the others of its grant alone. */
export async function revokeOneToken(tx: Tx, hash: Buffer): Promise<void> {
  const ended = await store.revokeToken(tx, hash)
  if (ended) await publish(tx, { type: 'TokenRevoked', tokenId: tokenIdOf(hash), clientId: ended.clientId })
}

/** Names a token in facts and counters; nobody can use it. */
export const tokenIdOf = (hash: Buffer): string => `tok_${hash.toString('base64url').slice(0, 20)}`
