// Orders of those who were written to or held out.

import type { Reader, Tx } from '../../base/db.ts'

export interface Purchase {
  clientId: number
  at: Date
  orderId: number
  amountTiyin: number
}

const reached = `state in ('sent', 'held_out')`

/** Which of these clients a campaign has ever written to or held out. */
export const clientsReached = async (read: Reader, clientIds: readonly number[]): Promise<Set<number>> => {
  const rows = await read.all<{ clientId: number }>(
    `select distinct client_id as "clientId" from marketing_campaign_targets where client_id = any($1::int8[]) and ${reached}`,
    [clientIds],
  )
  return new Set(rows.map((it) => it.clientId))
}

/** Counts orders for every campaign that had the client's attention when he made them: by its last turn before. */
export function countPurchases(tx: Tx, made: readonly Purchase[]): void {
  tx.later(
    `insert into marketing_campaign_purchases (campaign_id, order_id, client_id, is_held_out, amount_tiyin, at)
     select turn.campaign_id, made.order_id, made.client_id, turn.state = 'held_out', made.amount_tiyin, made.at
     from unnest($1::int8[], $2::timestamptz[], $3::int8[], $4::int8[]) as made (client_id, at, order_id, amount_tiyin),
     lateral (
       select distinct on (target.campaign_id) target.campaign_id, target.state
       from marketing_campaign_targets target join marketing_campaigns campaign on campaign.id = target.campaign_id
       where target.client_id = made.client_id and target.${reached} and target.decided_at <= made.at
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

export const forgetPurchase = async (tx: Tx, orderId: number): Promise<void> => {
  tx.later(`delete from marketing_campaign_purchases where order_id = $1`, [orderId])
}

export interface Bought {
  isHeldOut: boolean
  clients: number
  orders: number
  amountTiyin: number
}

export const countBought = (read: Reader, campaignId: number): Promise<Bought[]> =>
  read.all(
    `select is_held_out as "isHeldOut", count(distinct client_id) as clients, count(*) as orders,
       sum(amount_tiyin)::int8 as "amountTiyin"
     from marketing_campaign_purchases where campaign_id = $1 group by is_held_out`,
    [campaignId],
  )

export const purchasesBefore = `delete from marketing_campaign_purchases where (campaign_id, order_id) in (
  select campaign_id, order_id from marketing_campaign_purchases where at < $1 limit $2) returning 1`
