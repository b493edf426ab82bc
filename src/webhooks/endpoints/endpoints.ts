import type { Tx } from '../../base/database.ts'
import { newestPosition, publish } from '../../base/outbox.ts'
import { secretUuid, timedUuid } from '../../base/random.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { newSigningSecret } from '../../base/signature.ts'
import type { Vault } from '../../base/vault.ts'
import { type Endpoint, maxEndpoints, type DisabledReason } from './endpoint.ts'
import {
  countEndpoints,
  insertEndpoint,
  insertSecret,
  lockEndpoint,
  updateEndpoint,
  markEndpointDeleted,
  setEndpointState,
  endSecrets,
} from './store.ts'
import { isDeepStrictEqual } from 'node:util'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { cancelDeliveries } from '../deliveries/store.ts'

export interface EndpointInput {
  url: string
  description: string
  filters: string[]
}

/** Registers an endpoint for events from now on. The secret is returned only here. */
export async function createEndpoint(
  tx: Tx,
  vault: Vault,
  input: EndpointInput,
): Promise<{ endpoint: Endpoint; secret: string }> {
  if ((await countEndpoints(tx)) >= maxEndpoints) throw conflict('too_many_webhooks', { limit: maxEndpoints })
  const id = timedUuid(tx.now)
  const endpoint = await insertEndpoint(tx, { id, ...input, position: await newestPosition(tx) })
  const secret = newSigningSecret()
  insertSecret(tx, { id: secretUuid(), endpointId: id, sealed: vault.seal(secret, id) })
  publish(tx, { type: 'WebhookCreated', webhookId: id })
  return { endpoint, secret }
}

/** Queued deliveries go to the new URL. */
export async function changeEndpoint(
  tx: Tx,
  id: string,
  { changes, ifMatch }: { changes: Partial<EndpointInput>; ifMatch: IfMatch | undefined },
): Promise<Endpoint> {
  const before = await lockEndpoint(tx, id)
  if (!before) throw refuse('not_found')
  requireVersion(before, ifMatch)
  const after = { ...before, ...changes }
  if (isDeepStrictEqual(after, before)) return before
  const saved = await updateEndpoint(tx, after)
  publish(tx, { type: 'WebhookChanged', webhookId: id })
  return saved
}

/** Deletes an endpoint and its secrets at once; a job purges its delivery log later. */
export async function deleteEndpoint(tx: Tx, id: string, ifMatch: IfMatch | undefined): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  requireVersion(endpoint, ifMatch)
  cancelDeliveries(tx, id)
  markEndpointDeleted(tx, id)
  publish(tx, { type: 'WebhookDeleted', webhookId: id })
  return endpoint
}

/** Idempotent. */
export async function disableEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  return endpoint.state === 'disabled' ? endpoint : disable(tx, endpoint, 'by_hand')
}

/** Cancels what is queued; it stays in the event log and can be redelivered. The caller must lock the row. */
export async function disable(tx: Tx, { id }: Endpoint, reason: DisabledReason): Promise<Endpoint> {
  cancelDeliveries(tx, id)
  const disabled = await setEndpointState(tx, { id, state: 'disabled', disabledReason: reason }, null)
  publish(tx, { type: 'WebhookDisabled', webhookId: id, reason })
  return disabled
}

/** Sends events from now on; missed ones can be redelivered. Idempotent. */
export async function enableEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  if (endpoint.state === 'enabled') return endpoint
  const enabled = await setEndpointState(
    tx,
    { id, state: 'enabled', disabledReason: null },
    await newestPosition(tx),
  )
  publish(tx, { type: 'WebhookEnabled', webhookId: id })
  return enabled
}

/** Sends a test event to one endpoint, through the same queue as all events. Returns the event's id. */
export async function pingEndpoint(tx: Tx, id: string): Promise<string> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  if (endpoint.state === 'disabled')
    throw refuse('invalid_transition', { state: 'disabled', requested: 'ping', allowed: ['enable'] })
  publish(tx, { type: 'WebhookPinged', webhookId: id })
  return tx.published.at(-1)!.id
}

/** Creates a new secret. Until the overlap ends, the old one signs too (faults E11). */
export async function rotateSecret(
  tx: Tx,
  vault: Vault,
  { id, overlapSeconds }: { id: string; overlapSeconds: number },
): Promise<{ endpoint: Endpoint; secret: string; endsAt: Date }> {
  const endpoint = await lockEndpoint(tx, id)
  if (!endpoint) throw refuse('not_found')
  const endsAt = new Date(tx.now.getTime() + overlapSeconds * 1000)
  endSecrets(tx, id, endsAt)
  const secret = newSigningSecret()
  insertSecret(tx, { id: secretUuid(), endpointId: id, sealed: vault.seal(secret, id) })
  publish(tx, { type: 'WebhookSecretRotated', webhookId: id, endsAt: endsAt.toISOString() })
  return { endpoint, secret, endsAt }
}
