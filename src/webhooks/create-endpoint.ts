import type { Tx } from '../base/db.ts'
import { newestPosition, publish } from '../base/outbox.ts'
import { secretUuid, timedUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { newSecret } from '../base/sign.ts'
import type { Vault } from '../base/vault.ts'
import { type Endpoint, mostEndpoints } from './endpoint.ts'
import { countEndpoints, insertEndpoint, insertSecret } from './store/endpoints.ts'

export interface EndpointRecord {
  url: string
  description: string
  filters: string[]
}

/** Registers an endpoint for what happens from now on. Its secret is shown this once. */
export async function createEndpoint(
  tx: Tx,
  vault: Vault,
  record: EndpointRecord,
): Promise<{ endpoint: Endpoint; secret: string }> {
  if ((await countEndpoints(tx)) >= mostEndpoints)
    throw refuse('conflict', { reason: 'too_many_webhooks', limit: mostEndpoints })
  const id = timedUuid(tx.now)
  const endpoint = await insertEndpoint(tx, { id, ...record, position: await newestPosition(tx) })
  const secret = newSecret()
  await insertSecret(tx, { id: secretUuid(), endpointId: id, sealed: vault.seal(secret, id) })
  await publish(tx, { type: 'WebhookCreated', webhookId: id })
  return { endpoint, secret }
}
