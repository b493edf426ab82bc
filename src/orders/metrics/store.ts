import type { Reader } from '../../base/database.ts'

export interface DayOfOrders {
  day: string
  orders: number
  cancelled: number
  buyers: number
  revenueTiyin: number
}

/** Orders of a period by the shop's day; days without orders are missing. The instants only bound the index scan. */
export const ordersByDay = (read: Reader, span: { from: string; to: string }): Promise<DayOfOrders[]> =>
  read.all<DayOfOrders>(
    `select o.day::text as day,
            count(*)::int4 as orders,
            count(*) filter (where o.status = 'cancelled')::int4 as cancelled,
            count(distinct coalesce('c' || o.client_id, 's' || o.session_id))::int4 as buyers,
            coalesce(sum(o.amount_tiyin) filter (where o.status <> 'cancelled'), 0)::int8 as "revenueTiyin"
       from orders_orders o
      where o.day between $1::date and $2::date
        and o.created_at >= $1::date - interval '2 days' and o.created_at < $2::date + interval '2 days'
      group by o.day order by o.day`,
    [span.from, span.to],
  )
