// Carries due deliveries to their endpoints: some of each, so that one that is slow or dead keeps nobody waiting.

import type { Clock } from '../base/clock.ts'
import { Courier } from '../base/courier.ts'
import type { Database, Reader } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { eventsById, type Placed } from '../base/outbox.ts'
import { openSender, type Sender, type Sent } from '../base/post.ts'
import { signedHeaders } from '../base/sign.ts'
import type { Vault } from '../base/vault.ts'
import { cloudEventText } from './cloud-event.ts'
import { mostEndpoints } from './endpoint.ts'
import { type Outcome, settle } from './settle.ts'
import { type Claimed, claimDue, releaseLeases } from './store/deliveries.ts'
import { type SealedSecret, secretsOf } from './store/endpoints.ts'

/** Longer than a try and its bookkeeping take. */
const leaseSeconds = 25
/** In every process each endpoint has one place of its own; beside them all share some, of which one gets its share. */
const sharedPlaces = 100
const perEndpoint = 20
/** One that keeps failing is tried with one delivery at a time. */
const perFailing = 1
const failingFrom = 5
/** Of secrets that were rotated again and again within their overlap, the newest sign: a header has its limits. */
const mostSigning = 5

export interface CourierOptions {
  db: Database
  vault: Vault
  /** The machine's own clock: receivers compare it with theirs. */
  clock: Clock
  log: Log
}

/** A delivery with all that is needed to send it. */
interface Parcel {
  delivery: Claimed
  event: Placed | undefined
  secrets: SealedSecret[]
}

export function openCourier(
  options: CourierOptions,
): Pick<Courier<Parcel, Outcome>, 'start' | 'wake' | 'close'> {
  const { db, log } = options
  const sender = openSender(db.environment)
  const courier = new Courier<Parcel, Outcome>(
    {
      claim: async ({ lease, busy }) => {
        const limits = {
          leaseSeconds,
          perEndpoint,
          perFailing,
          failingFrom,
          shared: Math.max(0, sharedPlaces - sharing(busy)),
        }
        return parcelsOf(db.read(), await db.transaction((tx) => claimDue(tx, { lease, busy, ...limits })))
      },
      lineOf: ({ delivery }) => delivery.endpointId,
      carry: (parcel) => tryOnce(sender, parcel, options),
      settle: (lease, outcomes) => db.transaction((tx) => settle(tx, lease, outcomes)),
      release: (lease) => db.transaction((tx) => releaseLeases(tx, lease)),
      onError: (error) =>
        log.warn('deliveries of webhooks could not be looked up or noted; trying again', {
          environment: db.environment,
          error,
        }),
    },
    { mostUnderWay: mostEndpoints + sharedPlaces },
  )
  return {
    start: () => courier.start(),
    wake: () => courier.wake(),
    close: async () => {
      await courier.close()
      sender.close()
    },
  }
}

/** How many are under way beside the first of each endpoint. */
const sharing = (busy: ReadonlyMap<string, number>): number =>
  [...busy.values()].reduce((sum, it) => sum + it - 1, 0)

async function parcelsOf(read: Reader, claimed: readonly Claimed[]): Promise<Parcel[]> {
  if (claimed.length === 0) return []
  const [events, secrets] = await Promise.all([
    eventsById(read, [...new Set(claimed.map((it) => it.eventId))]),
    secretsOf(read, [...new Set(claimed.map((it) => it.endpointId))]),
  ])
  const [byId, byEndpoint] = [
    new Map(events.map((it) => [it.id, it])),
    Map.groupBy(secrets, (it) => it.endpointId),
  ]
  return claimed.map((delivery) => ({
    delivery,
    event: byId.get(delivery.eventId),
    secrets: (byEndpoint.get(delivery.endpointId) ?? []).slice(0, mostSigning),
  }))
}

async function tryOnce(
  sender: Sender,
  { delivery, event, secrets: sealed }: Parcel,
  { vault, clock, db }: CourierOptions,
): Promise<Outcome> {
  let headers: Record<string, string> = {}
  try {
    if (!event) throw new Error('the event is older than what we keep')
    const secrets = openedSecrets(vault, sealed)
    const body = cloudEventText(event, db.environment)
    headers = signedHeaders({ id: event.id, body, at: clock.now() }, secrets)
    return { delivery, headers, sent: await sender.send(delivery.url, headers, body) }
  } catch (error) {
    return { delivery, headers, sent: notSent(error) }
  }
}

/** Those that open. When the key was lost the old secret opens no more, and a rotation must heal that at once. */
function openedSecrets(vault: Vault, all: readonly SealedSecret[]): string[] {
  const secrets = all.flatMap(({ sealed, endpointId }) => {
    try {
      return [vault.open(sealed, endpointId)]
    } catch {
      return []
    }
  })
  if (secrets.length === 0) throw new Error('no secret of this webhook can be opened; rotate it')
  return secrets
}

const notSent = (error: unknown): Sent => ({
  milliseconds: 0,
  status: null,
  reply: null,
  error: (error as Error).message.slice(0, 500),
  retryAfter: undefined,
})
