// SQL of orders that were bought on credit, with their events.

import type { Reader } from '../../base/database.ts'
import { orderColumnsWithEvents, type OrderRowWithEvents, orderWithEvents } from '../store.ts'

type OrderWithEvents = ReturnType<typeof orderWithEvents>

interface Page {
  /** The last id of the page before. */
  after: number
  methodIds: readonly number[]
  limit: number
}

/** The orders of a client by these methods. */
export const ordersOfClient = async (
  read: Reader,
  { clientId, methodIds, limit }: { clientId: number; methodIds: readonly number[]; limit: number },
): Promise<OrderWithEvents[]> =>
  (
    await read.all<OrderRowWithEvents>(
      `select ${orderColumnsWithEvents} from orders_orders o
       where o.client_id = $1 and o.payment_method_id = any($2) order by o.id limit $3`,
      [clientId, methodIds, limit],
    )
  ).map(orderWithEvents)

/** Orders of clients by these methods that are open, or have changed since an instant, by id. */
export const ordersOwedSince = async (
  read: Reader,
  { after, methodIds, since, limit }: Page & { since: Date },
): Promise<OrderWithEvents[]> =>
  (
    await read.all<OrderRowWithEvents>(
      `select ${orderColumnsWithEvents} from orders_orders o
       where o.id > $1 and o.payment_method_id = any($2) and o.client_id is not null
         and (o.status not in ('completed', 'cancelled') or o.updated_at >= $3)
       order by o.id limit $4`,
      [after, methodIds, since, limit],
    )
  ).map(orderWithEvents)

/** When clients have first ordered by these methods, by client. */
export const firstOrdersOnCredit = (
  read: Reader,
  { after, methodIds, limit }: Page,
): Promise<{ clientId: number; firstAt: Date }[]> =>
  read.all(
    `select client_id as "clientId", min(created_at) as "firstAt" from orders_orders
     where client_id > $1 and payment_method_id = any($2) group by client_id order by client_id limit $3`,
    [after, methodIds, limit],
  )
