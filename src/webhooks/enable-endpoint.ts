import type { Tx } from '../base/db.ts'
import { newestPosition, publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { Endpoint } from './endpoint.ts'
import { lockEndpoint, setState } from './store/endpoints.ts'

/** Tells an endpoint of what happens from now on; what it missed can be sent again by hand. Twice equals once. */
export async function enableEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  if (endpoint.state === 'enabled') return endpoint
  const enabled = await setState(tx, { id, state: 'enabled', disabledReason: null }, await newestPosition(tx))
  await publish(tx, { type: 'WebhookEnabled', webhookId: id })
  return enabled
}
