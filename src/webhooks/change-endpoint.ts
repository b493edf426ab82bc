import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { refuseStale } from '../http/version.ts'
import type { EndpointRecord } from './create-endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { lockEndpoint, updateEndpoint } from './store/endpoints.ts'

/** Changes what is named and keeps the rest. What waits already goes to the new address. */
export async function changeEndpoint(
  tx: Tx,
  id: string,
  { changes, ifMatch }: { changes: Partial<EndpointRecord>; ifMatch: number | undefined },
): Promise<Endpoint> {
  const before = await lockEndpoint(tx, id)
  if (!before) throw refuse('not_found')
  refuseStale(before, ifMatch)
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(after, before)) return before
  const saved = await updateEndpoint(tx, after)
  await publish(tx, { type: 'WebhookChanged', webhookId: id })
  return saved
}
