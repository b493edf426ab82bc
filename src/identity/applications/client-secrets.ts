import { timingSafeEqual } from 'node:crypto'
import type { Reader, Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { sha256 } from '../../base/random.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import type { Scope } from '../../http/scopes.ts'
import { widening } from './application.ts'
import { type ClientSecret, isSecretWorking, keepsSecret, newSecret } from './credentials.ts'
import * as secrets from './secret-store.ts'
import { workingSecretHashes } from './secret-store.ts'
import * as store from './store.ts'

/** Creates a new secret. Older ones stay valid until the overlap ends. */
export async function rotateSecret(
  tx: Tx,
  applicationId: string,
  { overlapSeconds, callerScopes }: { overlapSeconds: number; callerScopes: ReadonlySet<Scope> | null },
): Promise<{ secret: ClientSecret; replaced: ClientSecret[]; clientSecret: string }> {
  const application = await store.lockApplication(tx, applicationId)
  if (!application) throw refuse('not_found')
  if (!keepsSecret(application.type)) throw conflict('no_secret', { application_type: application.type })

  const refusal = widening(application.scopes, callerScopes)
  if (refusal) throw refusal

  const endsAt = new Date(tx.now.getTime() + overlapSeconds * 1000)
  const replaced = await secrets.endSecretsAt(tx, applicationId, endsAt)
  if (replaced.filter((it) => isSecretWorking(it, tx.now)).length >= secrets.maxSecrets)
    throw conflict('too_many_secrets', { limit: secrets.maxSecrets })

  const { secret: clientSecret, ...made } = newSecret(tx.environment)
  const secret = await secrets.insertSecret(tx, { ...made, applicationId })
  publish(tx, {
    type: 'ClientSecretRotated',
    applicationId,
    secretId: secret.id,
    endsAt: endsAt.toISOString(),
  })
  return { secret, replaced, clientSecret }
}

/** Revokes a secret. Idempotent. */
export async function revokeSecret(tx: Tx, applicationId: string, secretId: string): Promise<ClientSecret> {
  const application = await store.lockApplication(tx, applicationId)
  if (!application) throw refuse('not_found', { resource: 'application', id: applicationId })
  const secret = await secrets.secretOfLocked(tx, applicationId, secretId)
  if (!secret) throw refuse('not_found')
  if (secret.revokedAt) return secret

  const revoked = await secrets.endSecret(tx, secretId)
  publish(tx, { type: 'ClientSecretRevoked', applicationId, secretId })
  return revoked
}

/** Whether the secret is currently valid for this application: the newest, or an older one within its overlap. */
export async function verifiesSecret(read: Reader, applicationId: string, secret: string): Promise<boolean> {
  const given = sha256(secret)
  const hashes = await workingSecretHashes(read, applicationId)
  // All hashes are compared, so that timing does not reveal which one matched.
  return hashes.map((it) => timingSafeEqual(it, given)).includes(true)
}
