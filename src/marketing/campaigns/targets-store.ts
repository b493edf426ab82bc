// SQL of targets (a client at an occasion), of the decisions on them, and of attributed purchases.

import type { Reader, Tx } from '../../base/database.ts'
import type { Target } from './occasion.ts'
import type { RecentMessages, Verdict } from './verdict.ts'

/** Existing targets, decided or not, stay unchanged. */
export const insertTargets = (
  tx: Tx,
  campaignId: number,
  { found, dueAt }: { found: readonly Target[]; dueAt: Date },
): void => {
  if (found.length === 0) return
  tx.later(
    `insert into marketing_campaign_targets (campaign_id, client_id, occasion, state, due_at)
     select $1, client_id, occasion, 'waiting', $4 from unnest($2::int8[], $3::text[]) as found (client_id, occasion)
     on conflict do nothing`,
    [campaignId, found.map((it) => it.clientId), found.map((it) => it.occasion), dueAt],
  )
}

/** The next undecided targets that are due. The caller must lock the campaign. */
export const dueTargets = (tx: Tx, campaignId: number, limit: number): Promise<Target[]> =>
  tx.all(
    `select client_id as "clientId", occasion from marketing_campaign_targets
     where campaign_id = $1 and state = 'waiting' and due_at <= $2
     order by due_at, client_id, occasion limit $3`,
    [campaignId, tx.now, limit],
  )

/** Whether a campaign has undecided targets, due or not. */
export const hasWaiting = async (read: Reader, campaignId: number): Promise<boolean> =>
  (await read.maybe(
    `select 1 from marketing_campaign_targets where campaign_id = $1 and state = 'waiting' limit 1`,
    [campaignId],
  )) !== undefined

export interface DecidedTarget extends Target {
  verdict: Verdict
  notificationId: string | null
}

export const saveVerdicts = (tx: Tx, campaignId: number, decided: readonly DecidedTarget[]): void => {
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

/** When a campaign last sent to these clients or held them out. */
export const lastDecisions = async (
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

/** Messages of all campaigns to these clients in the last day and week. */
export const recentMessages = async (
  read: Reader,
  clientIds: readonly number[],
  { dayAgo, weekAgo }: { dayAgo: Date; weekAgo: Date },
): Promise<Map<number, RecentMessages>> => {
  const rows = await read.all<RecentMessages & { clientId: number }>(
    `select client_id as "clientId", count(*) filter (where decided_at > $2) as day, count(*) as week
     from marketing_campaign_targets where client_id = any($1) and decided_at > $3 and state = 'sent' group by client_id`,
    [clientIds, dayAgo, weekAgo],
  )
  return new Map(rows.map((it) => [it.clientId, it]))
}

export interface TargetCount {
  state: string
  reason: string | null
  targets: number
  clients: number
}

/** Targets and distinct clients of a campaign, by state and reason. */
export const countTargets = (read: Reader, campaignId: number): Promise<TargetCount[]> =>
  read.all(
    `select state, reason, count(*) as targets, count(distinct client_id) as clients
     from marketing_campaign_targets where campaign_id = $1 group by state, reason order by state, reason`,
    [campaignId],
  )

export const purgeTargets = `delete from marketing_campaign_targets where (campaign_id, client_id, occasion) in (
  select campaign_id, client_id, occasion from marketing_campaign_targets where due_at < $1 limit $2) returning 1`

export interface Purchase {
  clientId: number
  at: Date
  orderId: number
  amountTiyin: number
}

const isReached = `state in ('sent', 'held_out')`

/** Which of these clients any campaign has sent to or held out. */
export const clientsDecidedOn = async (read: Reader, clientIds: readonly number[]): Promise<Set<number>> => {
  const rows = await read.all<{ clientId: number }>(
    `select distinct client_id as "clientId" from marketing_campaign_targets where client_id = any($1::int8[]) and ${isReached}`,
    [clientIds],
  )
  return new Set(rows.map((it) => it.clientId))
}

/** Attributes orders to every campaign with a decision on the client in its attribution period; the last one counts. */
export function countPurchases(tx: Tx, made: readonly Purchase[]): void {
  tx.later(
    `insert into marketing_campaign_purchases (campaign_id, order_id, client_id, is_held_out, amount_tiyin, at)
     select turn.campaign_id, made.order_id, made.client_id, turn.state = 'held_out', made.amount_tiyin, made.at
     from unnest($1::int8[], $2::timestamptz[], $3::int8[], $4::int8[]) as made (client_id, at, order_id, amount_tiyin),
     lateral (
       select distinct on (target.campaign_id) target.campaign_id, target.state
       from marketing_campaign_targets target join marketing_campaigns campaign on campaign.id = target.campaign_id
       where target.client_id = made.client_id and target.${isReached} and target.decided_at <= made.at
         and target.decided_at > made.at - campaign.attribution_days * interval '1 day'
       order by target.campaign_id, target.decided_at desc) as turn
     on conflict do nothing`,
    [
      made.map((it) => it.clientId),
      made.map((it) => it.at.toISOString()),
      made.map((it) => it.orderId),
      made.map((it) => it.amountTiyin),
    ],
  )
}

export const deletePurchase = (tx: Tx, orderId: number): void => {
  tx.later(`delete from marketing_campaign_purchases where order_id = $1`, [orderId])
}

export interface PurchaseCount {
  isHeldOut: boolean
  clients: number
  orders: number
  amountTiyin: number
}

export const countPurchasesByGroup = (read: Reader, campaignId: number): Promise<PurchaseCount[]> =>
  read.all(
    `select is_held_out as "isHeldOut", count(distinct client_id) as clients, count(*) as orders,
       sum(amount_tiyin)::int8 as "amountTiyin"
     from marketing_campaign_purchases where campaign_id = $1 group by is_held_out`,
    [campaignId],
  )

export const purgePurchases = `delete from marketing_campaign_purchases where (campaign_id, order_id) in (
  select campaign_id, order_id from marketing_campaign_purchases where at < $1 limit $2) returning 1`
