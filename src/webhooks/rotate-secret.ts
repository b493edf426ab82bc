import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { secretUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { newSecret } from '../base/sign.ts'
import type { Vault } from '../base/vault.ts'
import type { Endpoint } from './endpoint.ts'
import { endSecrets, insertSecret, lockEndpoint } from './store/endpoints.ts'

/** Gives an endpoint a new secret. Until the overlap is over, the old one signs too (faults E11). */
export async function rotateSecret(
  tx: Tx,
  vault: Vault,
  { id, overlapSeconds }: { id: string; overlapSeconds: number },
): Promise<{ endpoint: Endpoint; secret: string; endsAt: Date }> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  const endsAt = new Date(tx.now.getTime() + overlapSeconds * 1000)
  await endSecrets(tx, id, endsAt)
  const secret = newSecret()
  await insertSecret(tx, { id: secretUuid(), endpointId: id, sealed: vault.seal(secret, id) })
  await publish(tx, { type: 'WebhookSecretRotated', webhookId: id, endsAt: endsAt.toISOString() })
  return { endpoint, secret, endsAt }
}
