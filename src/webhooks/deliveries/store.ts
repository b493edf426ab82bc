// SQL of deliveries and their attempts.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListRequest, type ListPage, loadPage } from '../../base/listing.ts'
import type { RelayedEvent } from '../../base/outbox.ts'

export const deliveryStatuses = ['waiting', 'succeeded', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface Delivery {
  id: number
  endpointId: string
  eventId: string
  sequence: number
  type: string
  subject: string
  status: DeliveryStatus
  attempts: number
  nextAt: Date | null
  createdAt: Date
  endedAt: Date | null
}

const columns = `id, endpoint_id as "endpointId", event_id as "eventId", sequence, type, subject, status, attempts,
  next_at as "nextAt", created_at as "createdAt", ended_at as "endedAt"`

export const deliverySorts = ['id'] as const

export interface DeliveryFilter {
  status: DeliveryStatus | undefined
  type: string | undefined
  subject: string | undefined
  eventId: string | undefined
}

export function listDeliveries(
  read: Reader,
  endpointId: string,
  { filter, listing }: { filter: DeliveryFilter; listing: ListRequest },
): Promise<ListPage<Delivery>> {
  const given: [string, unknown][] = [
    ['status', filter.status],
    ['type', filter.type],
    ['subject', filter.subject],
    ['event_id', filter.eventId],
  ]
  const used = given.filter(([, value]) => value !== undefined)
  return loadPage(
    read,
    {
      columns,
      from: 'webhooks_deliveries',
      where: ['endpoint_id = $1', ...used.map(([name], at) => `${name} = $${at + 2}`)],
      values: [endpointId, ...used.map(([, value]) => value)],
      sorts: { id: { by: 'id', type: 'int8' } },
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )
}

export const findDelivery = (read: Reader, endpointId: string, id: number): Promise<Delivery | undefined> =>
  read.maybe(`select ${columns} from webhooks_deliveries where endpoint_id = $1 and id = $2`, [
    endpointId,
    id,
  ])

export interface Attempt {
  number: number
  at: Date
  milliseconds: number
  url: string
  headers: Record<string, string>
  status: number | null
  reply: { headers: Record<string, string>; body: string } | null
  error: string | null
}

export const attemptsOf = (read: Reader, deliveryId: number): Promise<Attempt[]> =>
  read.all(
    `select number, at, milliseconds, url, headers, status, reply, error from webhooks_attempts
     where delivery_id = $1 order by number`,
    [deliveryId],
  )

export interface NewDelivery {
  endpointId: string
  event: RelayedEvent
}

/**
 * Appends events to the queues of their endpoints in the given order. The first delivery of a subject is due at once; the
 * others wait until the ones before them have ended. The caller must lock the endpoints' rows.
 */
const insertion = `insert into webhooks_deliveries (endpoint_id, event_id, sequence, type, subject, created_at, next_at)
  select endpoint_id, event_id, sequence, type, subject, $6::timestamptz,
    case when row_number() over (partition by endpoint_id, subject order by place) = 1
      and not exists (select 1 from webhooks_deliveries before where before.endpoint_id = fresh.endpoint_id
        and before.subject = fresh.subject and before.status = 'waiting')
    then $6::timestamptz end
  from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::text[], $5::text[]) with ordinality
    as fresh (endpoint_id, event_id, sequence, type, subject, place)
  order by place returning id`

const insertionValues = (tx: Tx, all: readonly NewDelivery[]): unknown[] => [
  all.map((it) => it.endpointId),
  all.map((it) => it.event.id),
  all.map((it) => it.event.sequence),
  all.map((it) => it.event.event.type),
  all.map((it) => it.event.subject),
  tx.now,
]

export const enqueueDeliveries = (tx: Tx, all: readonly NewDelivery[]): void => {
  if (all.length > 0) tx.later(insertion, insertionValues(tx, all))
}

/** Same as `enqueueDeliveries`, but returns the new ids. */
export const insertDeliveries = async (tx: Tx, all: readonly NewDelivery[]): Promise<number[]> =>
  (await tx.all<{ id: number }>(insertion, insertionValues(tx, all))).map((it) => it.id)

export interface ClaimedDelivery {
  id: number
  endpointId: string
  url: string
  eventId: string
  attempts: number
}

export interface DeliveryClaim {
  lease: string
  leaseSeconds: number
  /** Concurrent deliveries per endpoint in this process, and per failing endpoint. */
  perEndpoint: number
  perFailing: number
  failingFrom: number
  /** Deliveries in progress, by endpoint. */
  busy: ReadonlyMap<string, number>
  /** Free slots beyond the first of each endpoint. */
  shared: number
}

/**
 * Claims due deliveries: the first of every endpoint, then more of those with the fewest in progress, so that no endpoint
 * starves another. Leases use the database's clock, because the shop's can be moved and machines disagree. A lease far in the
 * future was taken while that clock was ahead, and does not count.
 */
export const claimDue = (tx: Tx, claim: DeliveryClaim): Promise<ClaimedDelivery[]> =>
  tx.all(
    `with room as materialized (
       select endpoint.id, url, coalesce(busy.count, 0) as busy,
         case when failures >= $3 then $2::int4 else $1::int4 end as most
       from webhooks_endpoints endpoint
         left join unnest($4::uuid[], $5::int4[]) as busy (id, count) on busy.id = endpoint.id
       where state = 'enabled' and waiting > 0
     ), due as materialized (
       select delivery.id, url, next_at,
         busy + row_number() over (partition by room.id order by next_at, delivery.id) as place
       from room cross join lateral (
         select id, next_at from webhooks_deliveries
         where endpoint_id = room.id and next_at <= $6 and (leased_until is null
           or leased_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => 2 * $9::float8))
         order by next_at, id limit greatest(most - busy, 0) for update skip locked
       ) delivery
     ), taken as (
       select id, url from due order by place, next_at, id
       limit $7 + (select count(*) from due where place = 1)
     )
     update webhooks_deliveries delivery
     set lease = $8, leased_until = clock_timestamp() + make_interval(secs => $9::float8)
     from taken where delivery.id = taken.id
     returning delivery.id, endpoint_id as "endpointId", taken.url, event_id as "eventId", attempts`,
    [
      claim.perEndpoint,
      claim.perFailing,
      claim.failingFrom,
      [...claim.busy.keys()],
      [...claim.busy.values()],
      tx.now,
      claim.shared,
      claim.lease,
      claim.leaseSeconds,
    ],
  )

export interface AttemptResult {
  id: number
  status: DeliveryStatus
  nextAt: Date | null
  attempt: Attempt
}

/** Saves attempts. Those whose lease was lost meanwhile are dropped; returns the ids of the others. */
export async function saveAttempts(
  tx: Tx,
  lease: string,
  all: readonly AttemptResult[],
): Promise<Set<number>> {
  const saved = await tx.all<{ id: number }>(
    `update webhooks_deliveries delivery
     set status = result.status, attempts = result.number, next_at = result.next_at, lease = null, leased_until = null,
       ended_at = case when result.status <> 'waiting' then $5::timestamptz end
     from unnest($1::int8[], $2::text[], $3::int4[], $4::timestamptz[]) as result (id, status, number, next_at)
     where delivery.id = result.id and delivery.lease = $6 and delivery.status = 'waiting' returning delivery.id`,
    [
      all.map((it) => it.id),
      all.map((it) => it.status),
      all.map((it) => it.attempt.number),
      all.map((it) => it.nextAt?.toISOString() ?? null),
      tx.now,
      lease,
    ],
  )
  const ids = new Set(saved.map((it) => it.id))
  insertAttempts(
    tx,
    all.filter((it) => ids.has(it.id)),
  )
  return ids
}

const insertAttempts = (tx: Tx, all: readonly AttemptResult[]): void => {
  tx.later(
    `insert into webhooks_attempts (delivery_id, number, at, milliseconds, url, headers, status, reply, error)
     select * from unnest($1::int8[], $2::int4[], $3::timestamptz[], $4::int4[], $5::text[], $6::json[], $7::int4[],
       $8::json[], $9::text[])
     on conflict (delivery_id, number) do nothing`,
    [
      all.map((it) => it.id),
      all.map((it) => it.attempt.number),
      all.map((it) => it.attempt.at.toISOString()),
      all.map((it) => it.attempt.milliseconds),
      all.map((it) => it.attempt.url),
      all.map((it) => JSON.stringify(it.attempt.headers)),
      all.map((it) => it.attempt.status),
      all.map((it) => it.attempt.reply && JSON.stringify(it.attempt.reply)),
      all.map((it) => it.attempt.error),
    ],
  )
}

/** Makes the deliveries due that waited behind ended ones of the same subject. */
export const makeNextDue = (tx: Tx, ended: readonly number[]): void => {
  tx.later(
    `update webhooks_deliveries set next_at = $2 where next_at is null and id in (
       select (select min(next.id) from webhooks_deliveries next where next.endpoint_id = ended.endpoint_id
         and next.subject = ended.subject and next.status = 'waiting')
       from webhooks_deliveries ended where ended.id = any($1::int8[]))`,
    [ended, tx.now],
  )
}

/** Cancels all queued deliveries of an endpoint. */
export const cancelDeliveries = (tx: Tx, endpointId: string): void => {
  tx.later(
    `update webhooks_deliveries set status = 'cancelled', next_at = null, lease = null, leased_until = null, ended_at = $2
     where endpoint_id = $1 and status = 'waiting'`,
    [endpointId, tx.now],
  )
}

/** Makes deliveries due that wait for their next attempt; returns the ids of events that are queued. */
export const makeDueNow = async (
  tx: Tx,
  endpointId: string,
  eventIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await tx.all<{ eventId: string }>(
    `update webhooks_deliveries set next_at = case when next_at is null then null else least(next_at, $3) end
     where endpoint_id = $1 and status = 'waiting' and event_id = any($2::uuid[]) returning event_id as "eventId"`,
    [endpointId, eventIds, tx.now],
  )
  return new Set(rows.map((it) => it.eventId))
}

/** Makes every queued delivery due at an instant, unless it is due earlier. */
export const makeAllDue = (tx: Tx, at: Date): void => {
  tx.later(`update webhooks_deliveries set next_at = $1 where next_at > $1`, [at])
}

export const purgeEndedDeliveries = `delete from webhooks_deliveries where id in (
  select id from webhooks_deliveries where created_at < $1 and status <> 'waiting' order by id limit $2) returning 1`

/** Releases what a process has claimed and will not finish. */
export const releaseLeases = (tx: Tx, lease: string): void => {
  tx.later(
    `update webhooks_deliveries set lease = null, leased_until = null where lease = $1 and status = 'waiting'`,
    [lease],
  )
}
