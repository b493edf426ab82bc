// Orders of those who were written to or held out.

import type { Reader, Tx } from '../../base/db.ts'

export interface Purchase {
  clientId: number
  at: Date
  orders: readonly { orderId: number; amountTiyin: number }[]
}

/** Counts orders for every campaign that had the client's attention when he made them: by its last turn before. */
export const countPurchase = async (tx: Tx, { clientId, at, orders }: Purchase): Promise<void> => {
  tx.later(
    `insert into marketing_campaign_purchases (campaign_id, order_id, client_id, is_held_out, amount_tiyin, at)
     select turn.campaign_id, made.order_id, $1, turn.state = 'held_out', made.amount_tiyin, $2
     from (
       select distinct on (target.campaign_id) target.campaign_id, target.state
       from marketing_campaign_targets target join marketing_campaigns campaign on campaign.id = target.campaign_id
       where target.client_id = $1 and target.state in ('sent', 'held_out') and target.decided_at <= $2
         and target.decided_at > $2::timestamptz - campaign.attribution_days * interval '1 day'
       order by target.campaign_id, target.decided_at desc) turn,
       unnest($3::int8[], $4::int8[]) as made (order_id, amount_tiyin)
     on conflict do nothing`,
    [clientId, at, orders.map((it) => it.orderId), orders.map((it) => it.amountTiyin)],
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
