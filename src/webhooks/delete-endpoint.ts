import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import type { Endpoint } from './endpoint.ts'
import { cancelWaiting } from './store/deliveries.ts'
import { deleteEndpoint as removeRow, lockEndpoint } from './store/endpoints.ts'

/** Ends an endpoint and its secrets at once; its log is forgotten by and by. */
export async function deleteEndpoint(tx: Tx, id: string, ifMatch: number | undefined): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  refuseStale(endpoint, ifMatch)
  await cancelWaiting(tx, id)
  await removeRow(tx, id)
  await publish(tx, { type: 'WebhookDeleted', webhookId: id })
  return endpoint
}
