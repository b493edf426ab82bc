// Endpoints and their secrets.

import type { Reader, Tx } from '../../base/db.ts'
import { type Listing, type Slice, sliceOf } from '../../base/listing.ts'
import type { Endpoint } from '../endpoint.ts'

const columns = `id, url, description, filters, state, disabled_reason as "disabledReason", position, waiting,
  failures, failing_since as "failingSince", version, created_at as "createdAt", updated_at as "updatedAt"`

export const endpointSorts = ['created_at'] as const

export const listEndpoints = (
  read: Reader,
  { state }: { state: Endpoint['state'] | undefined },
  listing: Listing,
): Promise<Slice<Endpoint>> =>
  sliceOf(
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

/** Whoever changes an endpoint or its line of deliveries holds its row. */
export const lockEndpoint = (tx: Tx, id: string): Promise<Endpoint | undefined> =>
  tx.maybe(`select ${columns} from webhooks_endpoints where id = $1 and state <> 'deleted' for update`, [id])

/** In one order, so that two who lock several never wait for each other. */
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

export const setState = (
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

export const deleteEndpoint = async (tx: Tx, id: string): Promise<void> => {
  tx.later(
    `update webhooks_endpoints set state = 'deleted', waiting = 0, version = version + 1, updated_at = $2 where id = $1`,
    [id, tx.now],
  )
  tx.later(`delete from webhooks_secrets where endpoint_id = $1`, [id])
}

export const saveHealth = async (
  tx: Tx,
  it: Pick<Endpoint, 'id' | 'waiting' | 'failures' | 'failingSince'>,
): Promise<void> => {
  tx.later(`update webhooks_endpoints set waiting = $2, failures = $3, failing_since = $4 where id = $1`, [
    it.id,
    it.waiting,
    it.failures,
    it.failingSince,
  ])
}

export interface Fed {
  id: string
  filters: string[]
  position: number
  waiting: number
}

/** Where endpoints stand that have room in their lines, the foremost first. */
export const hungryPositions = async (read: Reader, longestLine: number): Promise<number[]> => {
  const rows = await read.all<{ position: number }>(
    `select distinct position from webhooks_endpoints where state = 'enabled' and waiting < $1 order by position desc`,
    [longestLine],
  )
  return rows.map((it) => it.position)
}

/** In one order, and only those who still stand there when it is our turn. */
export const lockHungryAt = (tx: Tx, position: number, longestLine: number): Promise<Fed[]> =>
  tx.all(
    `select id, filters, position, waiting from webhooks_endpoints
     where state = 'enabled' and position = $1 and waiting < $2 order by id for update`,
    [position, longestLine],
  )

export const saveFed = async (tx: Tx, fed: readonly Pick<Fed, 'id' | 'position' | 'waiting'>[]) => {
  tx.later(
    `update webhooks_endpoints set position = fed.position, waiting = fed.waiting
     from unnest($1::uuid[], $2::int8[], $3::int4[]) as fed (id, position, waiting)
     where webhooks_endpoints.id = fed.id`,
    [fed.map((it) => it.id), fed.map((it) => it.position), fed.map((it) => it.waiting)],
  )
}

export interface SealedSecret {
  id: string
  endpointId: string
  sealed: Buffer
}

export const insertSecret = async (tx: Tx, it: SealedSecret): Promise<void> => {
  tx.later(`insert into webhooks_secrets (id, endpoint_id, sealed, created_at) values ($1, $2, $3, $4)`, [
    it.id,
    it.endpointId,
    it.sealed,
    tx.now,
  ])
}

/** Those that sign now end then, unless they end before. */
export const endSecrets = async (tx: Tx, endpointId: string, endsAt: Date): Promise<void> => {
  tx.later(
    `update webhooks_secrets set ends_at = least($2::timestamptz, coalesce(ends_at, $2)) where endpoint_id = $1`,
    [endpointId, endsAt],
  )
}

/** The secrets that sign now, newest first. */
export const secretsOf = (read: Reader, endpointIds: readonly string[]): Promise<SealedSecret[]> =>
  read.all(
    `select id, endpoint_id as "endpointId", sealed from webhooks_secrets
     where endpoint_id = any($1::uuid[]) and (ends_at is null or ends_at > $2) order by created_at desc, id desc`,
    [endpointIds, read.now],
  )

export const endedSecretsBefore = `delete from webhooks_secrets where id in (
  select id from webhooks_secrets where ends_at < $1 limit $2) returning 1`

export const deletedEndpointsBefore = `delete from webhooks_endpoints where id in (
  select id from webhooks_endpoints where state = 'deleted' and updated_at < $1
    and not exists (select 1 from webhooks_deliveries where endpoint_id = webhooks_endpoints.id) limit $2) returning 1`
