import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import type { DisabledReason, Endpoint } from './endpoint.ts'
import { cancelWaiting } from './store/deliveries.ts'
import { lockEndpoint, setState } from './store/endpoints.ts'

/** Tells an endpoint nothing more, by hand. Twice equals once. */
export async function disableEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  return endpoint.state === 'disabled' ? endpoint : disable(tx, endpoint, 'by_hand')
}

/** What still waits is given up; it stands in the log of events and can be sent again by hand. The row must be held. */
export async function disable(tx: Tx, { id }: Endpoint, reason: DisabledReason): Promise<Endpoint> {
  await cancelWaiting(tx, id)
  const disabled = await setState(tx, { id, state: 'disabled', disabledReason: reason }, null)
  await publish(tx, { type: 'WebhookDisabled', webhookId: id, reason })
  return disabled
}
