// SQL of the devices of clients that receive push messages.

import type { Reader, Tx } from '../../base/database.ts'
import { timedUuid } from '../../base/random.ts'

/** Which of these clients have a device. */
export async function clientsWithDevices(read: Reader, clientIds: readonly number[]): Promise<Set<number>> {
  const rows = await read.all<{ clientId: number }>(
    `select distinct client_id as "clientId" from marketing_devices where client_id = any($1::int8[])`,
    [clientIds],
  )
  return new Set(rows.map((it) => it.clientId))
}

/** The newest devices are used; older ones are probably abandoned. */
const maxDevices = 10

/** The most recently seen devices of each client. */
export async function devicesOf(read: Reader, clientIds: readonly number[]): Promise<Map<number, string[]>> {
  if (clientIds.length === 0) return new Map()
  const rows = await read.all<{ clientId: number; token: string }>(
    `select client.id as "clientId", device.token from unnest($1::int8[]) as client (id) cross join lateral (
       select token from marketing_devices where client_id = client.id order by seen_at desc, token limit ${maxDevices}
     ) device`,
    [[...new Set(clientIds)]],
  )
  const byClient = Map.groupBy(rows, (it) => it.clientId)
  return new Map([...byClient].map(([id, devices]) => [id, devices.map((it) => it.token)]))
}

export const removeDevices = (tx: Tx, tokens: readonly string[]): void => {
  tx.later(`delete from marketing_devices where token = any($1::text[])`, [tokens])
}

export interface Device {
  id: string
  token: string
  clientId: number
  platform: Platform
  createdAt: Date
  seenAt: Date
}
export const platforms = ['ios', 'android', 'web'] as const
export type Platform = (typeof platforms)[number]

const columns = `id, token, client_id as "clientId", platform, created_at as "createdAt", seen_at as "seenAt"`

/** A device belongs to the client who signed in on it last. */
export const upsertDevice = (
  tx: Tx,
  it: { token: string; clientId: number; platform: Platform },
): Promise<Device & { isNew: boolean }> =>
  tx.one(
    `insert into marketing_devices (token, id, client_id, platform, created_at, seen_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (token) do update set client_id = excluded.client_id, platform = excluded.platform, seen_at = excluded.seen_at
     returning ${columns}, id = $2 as "isNew"`,
    [it.token, timedUuid(tx.now), it.clientId, it.platform, tx.now],
  )

export const listDevices = (read: Reader, clientId: number): Promise<Device[]> =>
  read.all(
    `select ${columns} from marketing_devices where client_id = $1 order by seen_at desc, id limit ${maxDevices}`,
    [clientId],
  )

export const removeDevice = (tx: Tx, clientId: number, id: string): Promise<Device | undefined> =>
  tx.maybe(`delete from marketing_devices where client_id = $1 and id = $2 returning ${columns}`, [
    clientId,
    id,
  ])

export const purgeUnseenDevices = `delete from marketing_devices where token in (
  select token from marketing_devices where seen_at < $1 limit $2) returning 1`
