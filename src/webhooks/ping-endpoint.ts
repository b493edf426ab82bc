import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { lockEndpoint } from './store/endpoints.ts'

/** Sends an endpoint an event of its own, by the way that all others go. Returns the event's id. */
export async function pingEndpoint(tx: Tx, id: string): Promise<string> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  if (endpoint.state === 'disabled') throw refuse('invalid_transition', { state: 'disabled', wanted: 'ping' })
  await publish(tx, { type: 'WebhookPinged', webhookId: id })
  return tx.told.at(-1)!.id
}
