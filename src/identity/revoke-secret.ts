import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { ClientSecret } from './client-secret.ts'
import * as store from './store/applications.ts'
import * as secrets from './store/secrets.ts'

/** Ends a client secret now. Revoking it again changes nothing. */
export async function revokeSecret(tx: Tx, clientId: string, secretId: string): Promise<ClientSecret> {
  const application = await store.lockApplication(tx, clientId)
  const secret = application && (await secrets.lockSecret(tx, clientId, secretId))
  if (!secret) throw refuse('not_found')
  if (secret.revokedAt) return secret

  const revoked = await secrets.endSecret(tx, secretId)
  await publish(tx, { type: 'ClientSecretRevoked', clientId, secretId })
  return revoked
}
