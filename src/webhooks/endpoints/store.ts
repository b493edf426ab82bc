// SQL of endpoints and their secrets.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListRequest, type ListPage, loadPage } from '../../base/listing.ts'
import type { Endpoint } from './endpoint.ts'

const columns = `id, url, description, filters, state, disabled_reason as "disabledReason", position, waiting,
  failures, failing_since as "failingSince", version, created_at as "createdAt", updated_at as "updatedAt"`

export const endpointSorts = ['created_at'] as const

export const listEndpoints = (
  read: Reader,
  { state }: { state: Endpoint['state'] | undefined },
  listing: ListRequest,
): Promise<ListPage<Endpoint>> =>
  loadPage(
    read,
    {
      columns,
      from: 'webhooks_endpoints',
      where: [`state <> 'deleted'`, ...(state ? ['state = $1'] : [])],
      values: state ? [state] : [],
      sorts: { created_at: { by: 'created_at', type: 'timestamptz' } },
      key: { by: 'id::text', type: 'text' },
    },
    listing,
  )

export const findEndpoint = (read: Reader, id: string): Promise<Endpoint | undefined> =>
  read.maybe(`select ${columns} from webhooks_endpoints where id = $1 and state <> 'deleted'`, [id])

/** Every change of an endpoint or of its delivery queue locks its row. */
export const lockEndpoint = (tx: Tx, id: string): Promise<Endpoint | undefined> =>
  tx.maybe(`select ${columns} from webhooks_endpoints where id = $1 and state <> 'deleted' for update`, [id])

/** Rows are locked in the order of their ids, so that two transactions never deadlock. */
export const lockEndpoints = (tx: Tx, ids: readonly string[]): Promise<Endpoint[]> =>
  tx.all(
    `select ${columns} from webhooks_endpoints where id = any($1::uuid[]) and state <> 'deleted' order by id for update`,
    [ids],
  )

export const countEndpoints = async (read: Reader): Promise<number> =>
  (
    await read.one<{ count: number }>(
      `select count(*) as count from webhooks_endpoints where state <> 'deleted'`,
    )
  ).count

export const insertEndpoint = (
  tx: Tx,
  it: Pick<Endpoint, 'id' | 'url' | 'description' | 'filters'> & { position: number },
): Promise<Endpoint> =>
  tx.one(
    `insert into webhooks_endpoints (id, url, description, filters, state, position, created_at, updated_at)
     values ($1, $2, $3, $4, 'enabled', $5, $6, $6) returning ${columns}`,
    [it.id, it.url, it.description, it.filters, it.position, tx.now],
  )

export const updateEndpoint = (tx: Tx, it: Endpoint): Promise<Endpoint> =>
  tx.one(
    `update webhooks_endpoints set url = $2, description = $3, filters = $4, version = version + 1, updated_at = $5
     where id = $1 returning ${columns}`,
    [it.id, it.url, it.description, it.filters, tx.now],
  )

export const setEndpointState = (
  tx: Tx,
  it: Pick<Endpoint, 'id' | 'state' | 'disabledReason'>,
  position: number | null,
): Promise<Endpoint> =>
  tx.one(
    `update webhooks_endpoints set state = $2, disabled_reason = $3, position = coalesce($4, position), waiting = 0,
       failures = 0, failing_since = null, version = version + 1, updated_at = $5
     where id = $1 returning ${columns}`,
    [it.id, it.state, it.disabledReason, position, tx.now],
  )

export const markEndpointDeleted = (tx: Tx, id: string): void => {
  tx.later(
    `update webhooks_endpoints set state = 'deleted', waiting = 0, version = version + 1, updated_at = $2 where id = $1`,
    [id, tx.now],
  )
  tx.later(`delete from webhooks_secrets where endpoint_id = $1`, [id])
}

export const saveHealth = (
  tx: Tx,
  it: Pick<Endpoint, 'id' | 'waiting' | 'failures' | 'failingSince'>,
): void => {
  tx.later(`update webhooks_endpoints set waiting = $2, failures = $3, failing_since = $4 where id = $1`, [
    it.id,
    it.waiting,
    it.failures,
    it.failingSince,
  ])
}

export interface EndpointPosition {
  id: string
  filters: string[]
  position: number
  waiting: number
}

/** The positions of endpoints with room in their queues, the newest first. */
export const pendingPositions = async (read: Reader, maxQueueLength: number): Promise<number[]> => {
  const rows = await read.all<{ position: number }>(
    `select distinct position from webhooks_endpoints where state = 'enabled' and waiting < $1 order by position desc`,
    [maxQueueLength],
  )
  return rows.map((it) => it.position)
}

/** Locks, in the order of ids, the endpoints that are still at this position. */
export const lockPendingAt = (
  tx: Tx,
  position: number,
  maxQueueLength: number,
): Promise<EndpointPosition[]> =>
  tx.all(
    `select id, filters, position, waiting from webhooks_endpoints
     where state = 'enabled' and position = $1 and waiting < $2 order by id for update`,
    [position, maxQueueLength],
  )

export const savePositions = (
  tx: Tx,
  moved: readonly Pick<EndpointPosition, 'id' | 'position' | 'waiting'>[],
): void => {
  tx.later(
    `update webhooks_endpoints set position = moved.position, waiting = moved.waiting
     from unnest($1::uuid[], $2::int8[], $3::int4[]) as moved (id, position, waiting)
     where webhooks_endpoints.id = moved.id`,
    [moved.map((it) => it.id), moved.map((it) => it.position), moved.map((it) => it.waiting)],
  )
}

export interface SealedSecret {
  id: string
  endpointId: string
  sealed: Buffer
}

export const insertSecret = (tx: Tx, it: SealedSecret): void => {
  tx.later(`insert into webhooks_secrets (id, endpoint_id, sealed, created_at) values ($1, $2, $3, $4)`, [
    it.id,
    it.endpointId,
    it.sealed,
    tx.now,
  ])
}

/** Ends all secrets that sign now at an instant, unless they end earlier. */
export const endSecrets = (tx: Tx, endpointId: string, endsAt: Date): void => {
  tx.later(
    `update webhooks_secrets set ends_at = least($2::timestamptz, coalesce(ends_at, $2)) where endpoint_id = $1`,
    [endpointId, endsAt],
  )
}

/** The secrets that sign now, newest first. */
export const signingSecrets = (read: Reader, endpointIds: readonly string[]): Promise<SealedSecret[]> =>
  read.all(
    `select id, endpoint_id as "endpointId", sealed from webhooks_secrets
     where endpoint_id = any($1::uuid[]) and (ends_at is null or ends_at > $2) order by created_at desc, id desc`,
    [endpointIds, read.now],
  )

export const purgeEndedSecrets = `delete from webhooks_secrets where id in (
  select id from webhooks_secrets where ends_at < $1 limit $2) returning 1`

export const purgeDeletedEndpoints = `delete from webhooks_endpoints where id in (
  select id from webhooks_endpoints where state = 'deleted' and updated_at < $1
    and not exists (select 1 from webhooks_deliveries where endpoint_id = webhooks_endpoints.id) limit $2) returning 1`

export interface QueueFigures {
  queued: number
  failing: number
  disabled: number
}

/** Figures over all endpoints; `failing` counts enabled endpoints whose last attempt failed. */
export const queueFigures = (read: Reader): Promise<QueueFigures> =>
  read.one(
    `select coalesce(sum(waiting), 0)::int8 as queued, count(*) filter (where state = 'enabled' and failures > 0) as failing,
       count(*) filter (where state = 'disabled') as disabled
     from webhooks_endpoints where state <> 'deleted'`,
  )
