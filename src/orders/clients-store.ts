// Clients by what they have ordered. Cancelled orders do not count unless said otherwise.

import type { Reader } from '../base/database.ts'

/** Clients with at least one order (cancelled ones included), ordered by id. */
export const clientsWithOrdersAfter = async (read: Reader, after: number, limit: number): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `with recursive client (id) as (
         (select client_id from orders_orders where client_id > $1 order by client_id limit 1)
         union all
         select (select client_id from orders_orders where client_id > client.id order by client_id limit 1)
         from client where client.id is not null)
       select id as "clientId" from client where id is not null limit $2`,
      [after, limit],
    )
  ).map((it) => it.clientId)

export interface BoughtProduct {
  clientId: number
  productId: number
  partnerId: number
}

/** Which products of which partners these clients have bought since an instant. */
export const boughtSince = (
  read: Reader,
  clientIds: readonly number[],
  since: Date,
): Promise<BoughtProduct[]> =>
  read.all(
    `select distinct o.client_id as "clientId", line.product_id as "productId", o.partner_id as "partnerId"
     from orders_orders o join orders_lines line on line.order_id = o.id
     where o.client_id = any($1) and o.created_at > $2 and o.status <> 'cancelled'`,
    [clientIds, since],
  )

export interface Spending {
  clientId: number
  orders: number
  amountTiyin: number
}

/** How often these clients have ordered since an instant, and for how much. Clients without orders are left out. */
export const spentSince = (read: Reader, clientIds: readonly number[], since: Date): Promise<Spending[]> =>
  read.all(
    `select client_id as "clientId", count(*) as orders, sum(amount_tiyin)::int8 as "amountTiyin" from orders_orders
     where client_id = any($1) and created_at > $2 and status <> 'cancelled' group by client_id`,
    [clientIds, since],
  )

/** Which of these clients ordered to an address that contains these words since an instant. */
export const clientsSentTo = async (
  read: Reader,
  clientIds: readonly number[],
  { words, since }: { words: string; since: Date },
): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select distinct client_id as "clientId" from orders_orders
       where client_id = any($1) and created_at > $2 and status <> 'cancelled'
         and position(lower($3) in lower(delivery_address)) > 0`,
      [clientIds, since, words],
    )
  ).map((it) => it.clientId)

/** The amounts of these orders, without cancelled ones. */
export const amountsOf = (
  read: Reader,
  orderIds: readonly number[],
): Promise<{ orderId: number; amountTiyin: number }[]> =>
  read.all(
    `select id as "orderId", amount_tiyin as "amountTiyin" from orders_orders where id = any($1) and status <> 'cancelled'`,
    [orderIds],
  )
