// Sends due deliveries to their endpoints. Every endpoint has slots of its own, so a slow or dead one delays no other.

import { type Clock, elapsedMs } from '../../base/clock.ts'
import { QueueWorker } from '../../base/queue-worker.ts'
import type { Database, Environment, Reader } from '../../base/database.ts'
import type { Log } from '../../base/log.ts'
import { eventsById, type RelayedEvent } from '../../base/outbox.ts'
import { openHttpSender, type HttpSender, type PostResult } from '../../base/http-post.ts'
import { signatureHeaders } from '../../base/signature.ts'
import type { AddressPolicy } from '../../base/outbound-address.ts'
import type { Telemetry } from '../../base/telemetry.ts'
import type { Vault } from '../../base/vault.ts'
import { cloudEventText } from '../events/cloud-event.ts'
import { maxEndpoints } from '../endpoints/endpoint.ts'
import { isSuccess, type Outcome, recordAttempts } from './record-attempts.ts'
import { type ClaimedDelivery, claimDue, releaseLeases } from './store.ts'
import { type SealedSecret, signingSecrets } from '../endpoints/store.ts'

/** Longer than an attempt and saving it take. */
const leaseSeconds = 25
/** Per process, every endpoint has one slot of its own; all endpoints share these, each up to its limit. */
const sharedSlots = 100
const perEndpoint = 20
/** A failing endpoint gets one delivery at a time. */
const perFailing = 1
const failingFrom = 5
/** The newest secrets sign when several overlap: the signature header must stay short. */
const maxSignatures = 5

export interface DeliveryWorkerOptions {
  db: Database
  vault: Vault
  addresses: AddressPolicy
  /** The system clock, not the shop's: receivers compare timestamps with their own. */
  clock: Clock
  log: Log
  telemetry: Telemetry
}

/** A delivery with everything that is needed to send it. */
interface DeliveryJob {
  delivery: ClaimedDelivery
  event: RelayedEvent | undefined
  secrets: SealedSecret[]
}

/** Attempts of this process since its start. */
export interface AttemptCounts {
  succeeded: number
  failed: number
}

export function openDeliveryWorker(
  options: DeliveryWorkerOptions,
): Pick<QueueWorker<DeliveryJob, Outcome>, 'start' | 'wake' | 'close'> & { counts: AttemptCounts } {
  const counts: AttemptCounts = { succeeded: 0, failed: 0 }
  const { db, log } = options
  const sender = openHttpSender(options.addresses)
  const worker = new QueueWorker<DeliveryJob, Outcome>(
    {
      claim: async ({ lease, inFlight: busy }) => {
        const limits = {
          leaseSeconds,
          perEndpoint,
          perFailing,
          failingFrom,
          shared: Math.max(0, sharedSlots - sharedInUse(busy)),
        }
        return loadJobs(db.read(), await db.transaction((tx) => claimDue(tx, { lease, busy, ...limits })))
      },
      queueOf: ({ delivery }) => delivery.endpointId,
      attempt: async (job) => {
        const outcome = await attemptDelivery(sender, job, options)
        if (isSuccess(outcome.sent)) counts.succeeded++
        else {
          counts.failed++
          logFailure(log, db.environment, outcome)
        }
        return outcome
      },
      saveOutcomes: (lease, outcomes) => db.transaction((tx) => recordAttempts(tx, lease, outcomes)),
      releaseLeases: (lease) => db.transaction(async (tx) => releaseLeases(tx, lease)),
      onError: (error) =>
        log.warn('webhook deliveries could not be claimed or saved; retrying', {
          environment: db.environment,
          error,
        }),
    },
    { maxInFlight: maxEndpoints + sharedSlots },
  )
  return {
    counts,
    start: () => worker.start(),
    wake: () => worker.wake(),
    close: async () => {
      await worker.close()
      sender.close()
    },
  }
}

const logFailure = (log: Log, environment: Environment, { delivery, sent }: Outcome): void =>
  log.warn('webhook delivery failed', {
    environment,
    endpoint_id: delivery.endpointId,
    attempt: delivery.attempts + 1,
    status: sent.status,
    error: sent.error,
  })

/** Shared slots in use: all deliveries in progress beyond the first of each endpoint. */
const sharedInUse = (busy: ReadonlyMap<string, number>): number =>
  [...busy.values()].reduce((sum, it) => sum + it - 1, 0)

async function loadJobs(read: Reader, claimed: readonly ClaimedDelivery[]): Promise<DeliveryJob[]> {
  if (claimed.length === 0) return []
  const [events, secrets] = await Promise.all([
    eventsById(read, [...new Set(claimed.map((it) => it.eventId))]),
    signingSecrets(read, [...new Set(claimed.map((it) => it.endpointId))]),
  ])
  const [byId, byEndpoint] = [
    new Map(events.map((it) => [it.id, it])),
    Map.groupBy(secrets, (it) => it.endpointId),
  ]
  return claimed.map((delivery) => ({
    delivery,
    event: byId.get(delivery.eventId),
    secrets: (byEndpoint.get(delivery.endpointId) ?? []).slice(0, maxSignatures),
  }))
}

async function attemptDelivery(
  sender: HttpSender,
  { delivery, event, secrets: sealed }: DeliveryJob,
  { vault, clock, db, telemetry }: DeliveryWorkerOptions,
): Promise<Outcome> {
  let headers: Record<string, string> = {}
  try {
    if (!event) throw new Error('the event has been purged')
    const secrets = openedSecrets(vault, sealed)
    const body = cloudEventText(event, db.environment)
    // Events of untraced requests, such as those of jobs, begin no traces.
    const traceparent = event.traceparent && telemetry.begin(event.traceparent)
    const beganMs = elapsedMs()
    headers = {
      ...signatureHeaders({ id: event.id, body, at: clock.now() }, secrets),
      ...(traceparent && { traceparent }),
    }
    const sent = await sender.send(delivery.url, headers, body)
    if (traceparent)
      telemetry.end({
        traceparent,
        parent: event.traceparent,
        name: `deliver ${event.event.type}`,
        kind: 'client',
        beganMs,
        isFailed: !isSuccess(sent),
        attributes: { 'http.request.method': 'POST', 'server.address': new URL(delivery.url).host },
      })
    return { delivery, headers, sent }
  } catch (error) {
    return { delivery, headers, sent: notSent(error) }
  }
}

/** Secrets that can be opened. After SECRET_KEY is lost the old ones cannot, and a rotation must fix that at once. */
function openedSecrets(vault: Vault, all: readonly SealedSecret[]): string[] {
  const secrets = all.flatMap(({ sealed, endpointId }) => {
    try {
      return [vault.open(sealed, endpointId)]
    } catch {
      return []
    }
  })
  if (secrets.length === 0) throw new Error('no secret of this webhook can be decrypted; rotate the secret')
  return secrets
}

const notSent = (error: unknown): PostResult => ({
  milliseconds: 0,
  status: null,
  reply: null,
  error: (error as Error).message.slice(0, 500),
  retryAfter: undefined,
})
