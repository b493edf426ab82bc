// Notifications as records.

import type { Reader, Tx } from '../../base/db.ts'
import { type Listing, type Slice, sliceOf } from '../../base/listing.ts'
import type { Category, Notification, Status } from '../notifications/notification.ts'
import type { Channel } from '../templates/template.ts'
import type { Attempt } from './sending.ts'

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

/** Writes those whose key is new; returns their ids. */
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

/** The notification, held for this transaction. */
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
}

/** Ids grow with time, so they sort as the instants do at which notifications were written. */
export function listNotifications(
  read: Reader,
  filter: NotificationFilter,
  listing: Listing,
): Promise<Slice<Notification>> {
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
  return sliceOf(
    read,
    {
      columns,
      from: withSlug,
      where: used.map(([name], at) => `${name} = $${at + 1}`),
      values: used.map(([, value]) => value),
      sorts: { created_at: { by: 'notification.created_at', type: 'timestamptz' } },
      key: { by: 'notification.id::text', type: 'text' },
      mostCounted: 10_000,
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
  end: { status: Status; reason: string },
): Promise<Notification> {
  await tx.all(
    `update marketing_notifications set status = $2, reason = $3, next_at = null, ended_at = $4 where id = $1`,
    [id, end.status, end.reason, tx.now],
  )
  return (await findNotification(tx, id))!
}

/** Due at once, with all its tries before it; those that it had stay in its log. */
export async function requeueNotification(tx: Tx, id: string): Promise<Notification> {
  await tx.all(
    `update marketing_notifications set status = 'queued', reason = null, next_at = $2, ended_at = null, forgiven = attempts
     where id = $1`,
    [id, tx.now],
  )
  return (await findNotification(tx, id))!
}

/** Notes the first time that something happened to a notification; undefined when it was not the first. */
export const noteFirst = (
  tx: Tx,
  id: string,
  what: 'opened_at' | 'clicked_at' | 'delivered_at',
): Promise<{ clientId: number | null; campaignId: number | null } | undefined> =>
  tx.maybe(
    `update marketing_notifications set ${what} = $2 where id = $1 and ${what} is null
     returning client_id as "clientId", campaign_id as "campaignId"`,
    [id, tx.now],
  )

export const notificationsBefore = `delete from marketing_notifications where id in (
  select id from marketing_notifications where ended_at < $1 limit $2) returning 1`

/** Those that were held for too long, given up. */
export const giveUpHeld = (tx: Tx, before: Date, limit: number): Promise<Notification[]> =>
  tx.all(
    `with gone as (
       update marketing_notifications set status = 'dead', ended_at = $3 where id in (
         select id from marketing_notifications where status = 'held' and created_at < $1 order by created_at limit $2)
       returning *
     ) select ${columns.replaceAll('notification.', 'gone.')} from gone
     join marketing_templates template on template.id = gone.template_id`,
    [before, limit, tx.now],
  )
