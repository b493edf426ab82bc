import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { secretText } from '../../base/random.ts'
import { rateOf } from '../../base/rate.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import type { Scope } from '../../http/scopes.ts'
import type { CredentialKind } from '../credential-cache.ts'
import { beyondApplication, widening } from './application.ts'
import { type ApiKey, environmentOfKey, newKey } from './credentials.ts'
import * as store from './store.ts'

export interface KeyInput {
  name: string
  /** Undefined means all scopes of the application. */
  scopes: Scope[] | undefined
  rateLimit: string | null
  expiresAt: Date | null
}

/** Creates a key. Its text is returned here and never again. */
export async function issueKey(
  tx: Tx,
  applicationId: string,
  { input, callerScopes }: { input: KeyInput; callerScopes: ReadonlySet<Scope> | null },
): Promise<{ key: ApiKey; apiKey: string }> {
  const application = await store.lockApplication(tx, applicationId)
  if (!application) throw refuse('not_found')
  const scopes = input.scopes ?? application.scopes
  const refusal =
    beyondApplication(scopes, application) ??
    widening(scopes, callerScopes) ??
    pastExpiry(input.expiresAt, tx.now)
  if (refusal) throw refusal
  if ((await store.countWorkingKeys(tx, applicationId)) >= store.maxKeys)
    throw conflict('too_many_keys', { limit: store.maxKeys })

  const { key: apiKey, hash, hint } = newKey(tx.environment)
  const record = { ...input, scopes, id: `key_${secretText(20)}`, applicationId, hint, replaces: null }
  const key = await store.insertKey(tx, record, hash)
  publish(tx, { type: 'ApiKeyIssued', keyId: key.id, applicationId })
  return { key, apiKey }
}

const pastExpiry = (expiresAt: Date | null, now: Date) =>
  expiresAt && expiresAt <= now
    ? refuse('validation_failed', {
        fields: [{ path: 'expires_at', rule: 'minimum', limit: now.toISOString() }],
      })
    : undefined

export const maxOverlapSeconds = 30 * 86_400

/** Creates a successor with the same scopes. Both keys work until the overlap ends. */
export async function rotateKey(
  tx: Tx,
  applicationId: string,
  {
    keyId,
    overlapSeconds,
    callerScopes,
  }: { keyId: string; overlapSeconds: number; callerScopes: ReadonlySet<Scope> | null },
): Promise<{ key: ApiKey; replaced: ApiKey; apiKey: string }> {
  const application = await store.lockApplication(tx, applicationId)
  if (!application) throw refuse('not_found', { resource: 'application', id: applicationId })
  const old = await store.keyOfLocked(tx, applicationId, keyId)
  if (!old) throw refuse('not_found')
  if (old.revokedAt || (old.expiresAt && old.expiresAt <= tx.now))
    throw refuse('invalid_transition', {
      state: old.revokedAt ? 'revoked' : 'expired',
      requested: 'rotate',
      allowed: [],
    })
  const refusal = widening(old.scopes, callerScopes)
  if (refusal) throw refusal

  // An earlier rotation shortened the life of this key; its first successor still has the original lifetime.
  const model = (await store.firstSuccessor(tx, old)) ?? old
  const { key: apiKey, hash, hint } = newKey(tx.environment)
  const endsAt = new Date(tx.now.getTime() + overlapSeconds * 1000)
  const successor = {
    ...old,
    id: `key_${secretText(20)}`,
    hint,
    expiresAt: sameLifetime(model, tx.now),
    replaces: old.id,
  }
  const key = await store.insertKey(tx, successor, hash)
  const replaced = await store.endKeyAt(tx, old.id, endsAt)
  publish(tx, {
    type: 'ApiKeyRotated',
    keyId: old.id,
    successorId: key.id,
    endsAt: endsAt.toISOString(),
  })
  return { key, replaced, apiKey }
}

/** A key created for one month gets a successor for one month. */
const sameLifetime = ({ createdAt, expiresAt }: ApiKey, now: Date): Date | null =>
  expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime())

/** Revokes a key, in every process within a second. Idempotent. */
export async function revokeKey(tx: Tx, applicationId: string, keyId: string): Promise<ApiKey> {
  const application = await store.lockApplication(tx, applicationId)
  if (!application) throw refuse('not_found', { resource: 'application', id: applicationId })
  const key = await store.keyOfLocked(tx, applicationId, keyId)
  if (!key) throw refuse('not_found')
  if (key.revokedAt) return key

  const revoked = await store.revokeKey(tx, keyId)
  publish(tx, { type: 'ApiKeyRevoked', keyId, applicationId })
  return revoked
}

/** `ak_live_…` and `ak_test_…`: an application that acts for itself. */
export const apiKeyCredential: CredentialKind = {
  carrier: 'bearer',
  environmentOf: environmentOfKey,
  find: async (read, hash) => {
    const key = await store.findKeyByHash(read, hash)
    return (
      key && {
        principal: {
          id: key.keyId,
          environment: read.environment,
          actor: { kind: 'application' },
          application: { id: key.applicationId, type: key.type },
          scopes: new Set(key.scopes),
          rate: key.rateLimit === null ? undefined : rateOf(key.rateLimit),
        },
        hash: key.hash,
        dependsOn: [`key/${key.keyId}`, `application/${key.applicationId}`],
        revokedAt: key.revokedAt,
        expiresAt: key.expiresAt,
      }
    )
  },
  recordUse: store.recordUse,
}
