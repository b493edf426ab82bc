// SQL of notifications, their leases and their attempts.

import { dayMs } from '../../base/clock.ts'
import type { Reader, Tx } from '../../base/database.ts'
import { type ListRequest, type ListPage, loadPage } from '../../base/listing.ts'
import {
  type Category,
  memberKeyPrefix,
  type Notification,
  type NotificationReason,
  type Status,
} from './notification.ts'
import type { Channel } from '../templates/template.ts'
import { holderOf } from '../consents/recipient.ts'
import type { Verdict } from './provider.ts'

const columns = `notification.id, key, category, notification.channel, client_id as "clientId", address,
  template_id as "templateId", template_version as "templateVersion", template.slug as template, language, variables,
  campaign_id as "campaignId", status, reason, attempts, next_at as "nextAt", provider_id as "providerId",
  notification.created_at as "createdAt", ended_at as "endedAt", delivered_at as "deliveredAt",
  opened_at as "openedAt", clicked_at as "clickedAt"`
const withSlug = `marketing_notifications notification join marketing_templates template
  on template.id = notification.template_id`

export type NewNotification = Pick<
  Notification,
  | 'id'
  | 'key'
  | 'category'
  | 'channel'
  | 'clientId'
  | 'address'
  | 'templateId'
  | 'templateVersion'
  | 'language'
  | 'variables'
  | 'campaignId'
  | 'status'
  | 'reason'
  | 'nextAt'
>

/** Inserts those whose key is new; returns their ids. */
export async function insertNotifications(tx: Tx, all: readonly NewNotification[]): Promise<Set<string>> {
  const rows = await tx.all<{ id: string }>(
    `insert into marketing_notifications (id, key, category, channel, client_id, address, template_id, template_version,
       language, variables, campaign_id, status, reason, next_at, created_at, ended_at)
     select id, key, category, channel, "clientId", address, "templateId", "templateVersion", language, variables,
       "campaignId", status, reason, "nextAt", $2, case when status = 'suppressed' then $2::timestamptz end
     from json_to_recordset($1) as fresh (id uuid, key text, category text, channel text, "clientId" int8,
       address text, "templateId" int8, "templateVersion" int8, language text, variables json, "campaignId" int8,
       status text, reason text, "nextAt" timestamptz)
     order by key
     on conflict (key) do nothing returning id`,
    [JSON.stringify(all), tx.now],
  )
  return new Set(rows.map((it) => it.id))
}

export const notificationsByKey = (read: Reader, keys: readonly string[]): Promise<Notification[]> =>
  read.all(`select ${columns} from ${withSlug} where key = any($1::text[])`, [keys])

export const findNotification = (read: Reader, id: string): Promise<Notification | undefined> =>
  read.maybe(`select ${columns} from ${withSlug} where notification.id = $1`, [id])

export const lockNotification = (tx: Tx, id: string): Promise<Notification | undefined> =>
  tx.maybe(`select ${columns} from ${withSlug} where notification.id = $1 for update of notification`, [id])

export const notificationSorts = ['created_at'] as const

export interface NotificationFilter {
  status: Status | undefined
  channel: Channel | undefined
  category: Category | undefined
  clientId: number | undefined
  campaignId: number | undefined
  template: string | undefined
  key: string | undefined
  /** Whether messages to members are listed too. */
  withMembers: boolean
}

/** Ids grow with time, so they sort like `created_at`. */
export function listNotifications(
  read: Reader,
  filter: NotificationFilter,
  listing: ListRequest,
): Promise<ListPage<Notification>> {
  const given: [string, unknown][] = [
    ['status', filter.status],
    ['notification.channel', filter.channel],
    ['category', filter.category],
    ['client_id', filter.clientId],
    ['campaign_id', filter.campaignId],
    ['template.slug', filter.template],
    ['key', filter.key],
  ]
  const used = given.filter(([, value]) => value !== undefined)
  return loadPage(
    read,
    {
      columns,
      from: withSlug,
      where: [
        ...used.map(([name], at) => `${name} = $${at + 1}`),
        ...(filter.withMembers ? [] : [`key not like '${memberKeyPrefix}%'`]),
      ],
      values: used.map(([, value]) => value),
      sorts: { created_at: { by: 'notification.created_at', type: 'timestamptz' } },
      key: { by: 'notification.id::text', type: 'text' },
    },
    listing,
  )
}

export const attemptsOf = (read: Reader, id: string): Promise<Attempt[]> =>
  read.all(
    `select number, at, milliseconds, outcome, status, reply, error from marketing_attempts
     where notification_id = $1 order by number`,
    [id],
  )

export async function endNotification(
  tx: Tx,
  id: string,
  end: { status: Status; reason: NotificationReason },
): Promise<Notification> {
  await tx.all(
    `update marketing_notifications set status = $2, reason = $3, next_at = null, ended_at = $4 where id = $1`,
    [id, end.status, end.reason, tx.now],
  )
  return (await findNotification(tx, id))!
}

/** Due now, with the full number of attempts; earlier ones stay in the log. */
export async function requeueNotification(tx: Tx, id: string): Promise<Notification> {
  await tx.all(
    `update marketing_notifications set status = 'queued', reason = null, next_at = $2, ended_at = null, attempts_at_requeue = attempts
     where id = $1`,
    [id, tx.now],
  )
  return (await findNotification(tx, id))!
}

/** Saves the first time that something happened to a notification; undefined when it is not the first. */
export const recordFirst = (
  tx: Tx,
  id: string,
  what: 'opened_at' | 'clicked_at' | 'delivered_at',
): Promise<{ clientId: number | null; campaignId: number | null } | undefined> =>
  tx.maybe(
    `update marketing_notifications set ${what} = $2 where id = $1 and ${what} is null
     returning client_id as "clientId", campaign_id as "campaignId"`,
    [id, tx.now],
  )

export const purgeEndedNotifications = `delete from marketing_notifications where id in (
  select id from marketing_notifications where ended_at < $1 limit $2) returning 1`

/** Marks notifications as dead that were held too long. */
export const failHeld = (tx: Tx, before: Date, limit: number): Promise<Notification[]> =>
  tx.all(
    `with gone as (
       update marketing_notifications set status = 'dead', ended_at = $3 where id in (
         select id from marketing_notifications where status = 'held' and created_at < $1 order by created_at limit $2)
       returning *
     ) select ${columns.replaceAll('notification.', 'gone.')} from gone
     join marketing_templates template on template.id = gone.template_id`,
    [before, limit, tx.now],
  )

export type ClaimedNotification = Pick<
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
> & { attemptsAtRequeue: number; holder: string }

/**
 * Claims due notifications, at most as many of each queue as it has free slots. Leases use the database's clock, because the
 * shop's can be moved and machines disagree. An expired lease makes a notification due again, and so does one far in the future,
 * which was taken while that clock was ahead.
 */
export async function claimDue(
  tx: Tx,
  claim: {
    lease: string
    leaseSeconds: number
    queues: readonly { channel: Channel; category: Category; free: number }[]
    capacity: number
  },
): Promise<ClaimedNotification[]> {
  const rows = await tx.all<Omit<ClaimedNotification, 'holder'>>(
    `with due as materialized (
       select taken.id from unnest($1::text[], $2::text[], $3::int4[]) as queue (channel, category, free)
         cross join lateral (
           select id from marketing_notifications
           where channel = queue.channel and category = queue.category and next_at <= $4
             and (leased_until is null
               or leased_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => 2 * $7::float8))
           order by next_at, id limit queue.free for update skip locked
         ) taken limit $5
     )
     update marketing_notifications notification
     set status = 'sending', lease = $6, leased_until = clock_timestamp() + make_interval(secs => $7::float8)
     from due where notification.id = due.id
     returning notification.id, category, channel, client_id as "clientId", address, template_id as "templateId",
       template_version as "templateVersion", language, variables, campaign_id as "campaignId", attempts,
       attempts_at_requeue as "attemptsAtRequeue"`,
    [
      claim.queues.map((it) => it.channel),
      claim.queues.map((it) => it.category),
      claim.queues.map((it) => it.free),
      tx.now,
      claim.capacity,
      claim.lease,
      claim.leaseSeconds,
    ],
  )
  return rows.map((it) => ({ ...it, holder: holderOf(it.clientId, it.address) }))
}

export const renewLeases = (tx: Tx, lease: string, leaseSeconds: number): void => {
  tx.later(
    `update marketing_notifications set leased_until = clock_timestamp() + make_interval(secs => $2)
     where lease = $1 and status = 'sending'`,
    [lease, leaseSeconds],
  )
}

/** Releases what a process has claimed and will not finish. */
export const releaseLeases = (tx: Tx, lease: string): void => {
  tx.later(
    `update marketing_notifications set status = case when attempts > 0 then 'retrying' else 'queued' end, lease = null,
       leased_until = null
     where lease = $1 and status = 'sending'`,
    [lease],
  )
}

/** Makes retries and notifications from the future due at an instant; scheduled ones keep their time. */
export const makeAllDue = (tx: Tx, at: Date): void => {
  tx.later(
    `update marketing_notifications set next_at = $1 where next_at > $1 and (status = 'retrying' or created_at > $1)`,
    [at],
  )
}

const maxRowsAtOnce = 1_000

/** Holds due notifications of channels without a provider. */
export const holdWithoutProvider = (tx: Tx, channels: readonly Channel[]): void => {
  if (channels.length === 0) return
  tx.later(
    `update marketing_notifications set status = 'held', reason = 'no_provider', next_at = null where id in (
       select id from marketing_notifications where channel = any($1::text[]) and next_at <= $2
         and status in ('queued', 'retrying') order by next_at limit ${maxRowsAtOnce} for update skip locked)`,
    [channels, tx.now],
  )
}

/** Older held messages are useless to their recipients. */
export const maxHeldDays = 3

/** Queues held notifications of channels that have a provider now. */
export const releaseHeld = (tx: Tx, channels: readonly Channel[]): void => {
  if (channels.length === 0) return
  tx.later(
    `update marketing_notifications set status = 'queued', reason = null, next_at = $2 where id in (
       select id from marketing_notifications where status = 'held' and channel = any($1::text[]) and created_at > $3
       order by created_at limit ${maxRowsAtOnce} for update skip locked)`,
    [channels, tx.now, new Date(tx.now.getTime() - maxHeldDays * dayMs)],
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

export interface AttemptResult {
  id: string
  status: Status
  reason: NotificationReason | null
  nextAt: Date | null
  providerId: string | null
  /** Null when it was suppressed without an attempt. */
  attempt: Attempt | null
}

/** Saves attempts. Those whose lease was lost meanwhile are dropped; returns the ids of the others. */
export async function saveAttempts(
  tx: Tx,
  lease: string,
  all: readonly AttemptResult[],
): Promise<Set<string>> {
  const saved = await tx.all<{ id: string }>(
    `update marketing_notifications notification
     set status = result.status, reason = result.reason, next_at = result."nextAt",
       attempts = coalesce(result.number, attempts), provider_id = coalesce(result."providerId", provider_id),
       lease = null, leased_until = null, ended_at = case when result.status <> 'retrying' then $2::timestamptz end
     from json_to_recordset($1) as result (id uuid, status text, reason text, "nextAt" timestamptz, number int4,
       "providerId" text)
     where notification.id = result.id and notification.lease = $3 and notification.status = 'sending'
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

export interface QueueFigure {
  channel: Channel
  status: Status
  count: number
}

/** Unfinished notifications by channel and status. */
export const queueFigures = (read: Reader): Promise<QueueFigure[]> =>
  read.all(
    `select channel, status, count(*) as count from marketing_notifications
     where status in ('queued', 'sending', 'retrying', 'held') group by channel, status`,
  )
