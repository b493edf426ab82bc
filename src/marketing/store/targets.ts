// Clients at their occasions, and what became of them.

import type { Reader, Tx } from '../../base/db.ts'
import type { Found } from '../campaigns/cues.ts'
import type { Verdict } from '../campaigns/verdict.ts'

/** Writes down who is to be written to; whoever stands there already, decided or not, stays as he is. */
export const insertTargets = async (
  tx: Tx,
  campaignId: number,
  { found, dueAt }: { found: readonly Found[]; dueAt: Date },
): Promise<void> => {
  if (found.length === 0) return
  tx.later(
    `insert into marketing_campaign_targets (campaign_id, client_id, occasion, state, due_at)
     select $1, client_id, occasion, 'waiting', $4 from unnest($2::int8[], $3::text[]) as found (client_id, occasion)
     on conflict do nothing`,
    [campaignId, found.map((it) => it.clientId), found.map((it) => it.occasion), dueAt],
  )
}

/** The next who wait and are due. */
export const dueTargets = (tx: Tx, campaignId: number, limit: number): Promise<Found[]> =>
  tx.all(
    `select client_id as "clientId", occasion from marketing_campaign_targets
     where campaign_id = $1 and state = 'waiting' and due_at <= $2
     order by due_at, client_id, occasion limit $3 for update`,
    [campaignId, tx.now, limit],
  )

/** Whether anybody waits, due or not. */
export const hasWaiting = async (read: Reader, campaignId: number): Promise<boolean> =>
  (await read.maybe(
    `select 1 from marketing_campaign_targets where campaign_id = $1 and state = 'waiting' limit 1`,
    [campaignId],
  )) !== undefined

export interface Decided extends Found {
  verdict: Verdict
  notificationId: string | null
}

export const saveVerdicts = async (
  tx: Tx,
  campaignId: number,
  decided: readonly Decided[],
): Promise<void> => {
  tx.later(
    `update marketing_campaign_targets target
     set state = decided.state, reason = decided.reason, notification_id = decided.notification_id, decided_at = $7
     from unnest($2::int8[], $3::text[], $4::text[], $5::text[], $6::uuid[])
       as decided (client_id, occasion, state, reason, notification_id)
     where target.campaign_id = $1 and target.client_id = decided.client_id and target.occasion = decided.occasion`,
    [
      campaignId,
      decided.map((it) => it.clientId),
      decided.map((it) => it.occasion),
      decided.map((it) => it.verdict.state),
      decided.map((it) => it.verdict.reason),
      decided.map((it) => it.notificationId),
      tx.now,
    ],
  )
}

/** When clients had their turn in a campaign last, whether they were written to or held out. */
export const lastTurns = async (
  read: Reader,
  campaignId: number,
  clientIds: readonly number[],
): Promise<Map<number, Date>> => {
  const rows = await read.all<{ clientId: number; at: Date }>(
    `select client_id as "clientId", max(decided_at) as at from marketing_campaign_targets
     where campaign_id = $1 and client_id = any($2) and state in ('sent', 'held_out') group by client_id`,
    [campaignId, clientIds],
  )
  return new Map(rows.map((it) => [it.clientId, it.at]))
}

export interface Lately {
  day: number
  week: number
}

/** How many messages of any campaign went to clients in the last day and the last week. */
export const messagesLately = async (
  read: Reader,
  clientIds: readonly number[],
  { dayAgo, weekAgo }: { dayAgo: Date; weekAgo: Date },
): Promise<Map<number, Lately>> => {
  const rows = await read.all<Lately & { clientId: number }>(
    `select client_id as "clientId", count(*) filter (where decided_at > $2) as day, count(*) as week
     from marketing_campaign_targets where client_id = any($1) and decided_at > $3 and state = 'sent' group by client_id`,
    [clientIds, dayAgo, weekAgo],
  )
  return new Map(rows.map((it) => [it.clientId, it]))
}

export interface Count {
  state: string
  reason: string | null
  targets: number
  clients: number
}

/** How many targets a campaign has by what became of them, and of how many clients. */
export const countTargets = (read: Reader, campaignId: number): Promise<Count[]> =>
  read.all(
    `select state, reason, count(*) as targets, count(distinct client_id) as clients
     from marketing_campaign_targets where campaign_id = $1 group by state, reason order by state, reason`,
    [campaignId],
  )

export const targetsBefore = `delete from marketing_campaign_targets where (campaign_id, client_id, occasion) in (
  select campaign_id, client_id, occasion from marketing_campaign_targets where due_at < $1 limit $2) returning 1`
