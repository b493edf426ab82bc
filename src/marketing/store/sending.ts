// Notifications on their way: who has taken which, and how every try went.

import type { Tx } from '../../base/db.ts'
import { holderOf } from '../notifications/holder.ts'
import type { Category, Notification, Status } from '../notifications/notification.ts'
import type { Verdict } from '../notifications/provider.ts'
import type { Channel } from '../templates/template.ts'

export type Claimed = Pick<
  Notification,
  | 'id'
  | 'category'
  | 'channel'
  | 'clientId'
  | 'address'
  | 'templateId'
  | 'templateVersion'
  | 'language'
  | 'variables'
  | 'campaignId'
  | 'attempts'
> & { forgiven: number; holder: string }

/**
 * Takes due notifications, of each line no more than it has places. Leases live by the database's clock: the shop's may
 * be moved, and machines disagree. One whose lease has run out is due again.
 */
export async function claimDue(
  tx: Tx,
  claim: {
    lease: string
    leaseSeconds: number
    lines: readonly { channel: Channel; category: Category; free: number }[]
    room: number
  },
): Promise<Claimed[]> {
  const rows = await tx.all<Omit<Claimed, 'holder'>>(
    `with due as materialized (
       select taken.id from unnest($1::text[], $2::text[], $3::int4[]) as line (channel, category, free)
         cross join lateral (
           select id from marketing_notifications
           where channel = line.channel and category = line.category and next_at <= $4
             and (leased_until is null or leased_until < clock_timestamp())
           order by next_at, id limit line.free for update skip locked
         ) taken limit $5
     )
     update marketing_notifications notification
     set status = 'sending', lease = $6, leased_until = clock_timestamp() + make_interval(secs => $7)
     from due where notification.id = due.id
     returning notification.id, category, channel, client_id as "clientId", address, template_id as "templateId",
       template_version as "templateVersion", language, variables, campaign_id as "campaignId", attempts, forgiven`,
    [
      claim.lines.map((it) => it.channel),
      claim.lines.map((it) => it.category),
      claim.lines.map((it) => it.free),
      tx.now,
      claim.room,
      claim.lease,
      claim.leaseSeconds,
    ],
  )
  return rows.map((it) => ({ ...it, holder: holderOf(it.clientId, it.address) }))
}

export const renewLeases = async (tx: Tx, lease: string, leaseSeconds: number): Promise<void> => {
  tx.later(
    `update marketing_notifications set leased_until = clock_timestamp() + make_interval(secs => $2)
     where lease = $1 and status = 'sending'`,
    [lease, leaseSeconds],
  )
}

/** Gives back what a process had taken and will not finish. */
export const releaseLeases = async (tx: Tx, lease: string): Promise<void> => {
  tx.later(
    `update marketing_notifications set status = case when attempts > 0 then 'retrying' else 'queued' end, lease = null,
       leased_until = null
     where lease = $1 and status = 'sending'`,
    [lease],
  )
}

/** Makes due what waits for an instant that a clock has lost; what was to wait for its hour still does. */
export const hastenAll = async (tx: Tx, at: Date): Promise<void> => {
  tx.later(
    `update marketing_notifications set next_at = $1 where next_at > $1 and (status = 'retrying' or created_at > $1)`,
    [at],
  )
}

const mostAtOnce = 1_000

/** Sets aside what is due and carried by nobody here. */
export const holdUncarried = async (tx: Tx, channels: readonly Channel[]): Promise<void> => {
  if (channels.length === 0) return
  tx.later(
    `update marketing_notifications set status = 'held', reason = 'no_provider', next_at = null where id in (
       select id from marketing_notifications where channel = any($1::text[]) and next_at <= $2
         and status in ('queued', 'retrying') order by next_at limit ${mostAtOnce} for update skip locked)`,
    [channels, tx.now],
  )
}

/** What was held for longer than this is of no use to anybody. */
export const heldDays = 3

/** Takes up again what was held for want of a provider. */
export const releaseHeld = async (tx: Tx, channels: readonly Channel[]): Promise<void> => {
  if (channels.length === 0) return
  tx.later(
    `update marketing_notifications set status = 'queued', reason = null, next_at = $2 where id in (
       select id from marketing_notifications where status = 'held' and channel = any($1::text[]) and created_at > $3
       order by created_at limit ${mostAtOnce} for update skip locked)`,
    [channels, tx.now, new Date(tx.now.getTime() - heldDays * 86_400_000)],
  )
}

export interface Attempt {
  number: number
  at: Date
  milliseconds: number
  outcome: Verdict
  status: number | null
  reply: string | null
  error: string | null
}

export interface Tried {
  id: string
  status: Status
  reason: string | null
  nextAt: Date | null
  providerId: string | null
  /** Null when it was not even tried. */
  attempt: Attempt | null
}

/** Writes down what tries came to. Those whose lease was lost meanwhile count for nothing; returns the ids of the rest. */
export async function saveTried(tx: Tx, lease: string, all: readonly Tried[]): Promise<Set<string>> {
  const saved = await tx.all<{ id: string }>(
    `update marketing_notifications notification
     set status = tried.status, reason = tried.reason, next_at = tried."nextAt",
       attempts = coalesce(tried.number, attempts), provider_id = coalesce(tried."providerId", provider_id),
       lease = null, leased_until = null, ended_at = case when tried.status <> 'retrying' then $2::timestamptz end
     from json_to_recordset($1) as tried (id uuid, status text, reason text, "nextAt" timestamptz, number int4,
       "providerId" text)
     where notification.id = tried.id and notification.lease = $3 and notification.status = 'sending'
     returning notification.id`,
    [JSON.stringify(all.map((it) => ({ ...it, number: it.attempt?.number ?? null }))), tx.now, lease],
  )
  const ids = new Set(saved.map((it) => it.id))
  const attempts = all.flatMap((it) => (it.attempt && ids.has(it.id) ? [{ ...it.attempt, id: it.id }] : []))
  if (attempts.length > 0)
    tx.later(
      `insert into marketing_attempts (notification_id, number, at, milliseconds, outcome, status, reply, error)
       select id, number, at, milliseconds, outcome, status, reply, error
       from json_to_recordset($1) as attempt (id uuid, number int4, at timestamptz, milliseconds int4, outcome text,
         status int4, reply text, error text)
       on conflict (notification_id, number) do nothing`,
      [JSON.stringify(attempts)],
    )
  return ids
}
