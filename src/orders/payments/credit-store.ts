// SQL of orders that were bought on credit, with their events.

import type { Reader } from '../../base/database.ts'
import { paymentMethods } from '../../cart/index.ts'
import { orderColumnsWithEvents, type OrderRowWithEvents, orderWithEvents } from '../store.ts'

type OrderWithEvents = ReturnType<typeof orderWithEvents>

interface Page {
  /** The last id of the page before. */
  after: number
  limit: number
}

/** The condition of the indexes of these orders. With ids as parameters, generic plans would not use them. */
const isOnCredit = `payment_method_id in (${paymentMethods
  .filter((it) => it.isInstallment)
  .map((it) => it.id)
  .join(', ')})`

/** The orders on credit of a client. */
export const ordersOfClient = async (
  read: Reader,
  { clientId, limit }: { clientId: number; limit: number },
): Promise<OrderWithEvents[]> =>
  (
    await read.all<OrderRowWithEvents>(
      `select ${orderColumnsWithEvents} from orders_orders o
       where o.client_id = $1 and ${isOnCredit} order by o.id limit $2`,
      [clientId, limit],
    )
  ).map(orderWithEvents)

/** Orders on credit that are open, or have changed since an instant, by id. */
export const ordersOwedSince = async (
  read: Reader,
  { after, since, limit }: Page & { since: Date },
): Promise<OrderWithEvents[]> =>
  (
    await read.all<OrderRowWithEvents>(
      `select ${orderColumnsWithEvents} from orders_orders o
       where o.id > $1 and ${isOnCredit} and o.client_id is not null
         and (o.status not in ('completed', 'cancelled') or o.updated_at >= $2)
       order by o.id limit $3`,
      [after, since, limit],
    )
  ).map(orderWithEvents)

/** When clients have first ordered on credit, by client. */
export const firstOrdersOnCredit = (
  read: Reader,
  { after, limit }: Page,
): Promise<{ clientId: number; firstAt: Date }[]> =>
  read.all(
    `select client_id as "clientId", min(created_at) as "firstAt" from orders_orders
     where client_id > $1 and ${isOnCredit} group by client_id order by client_id limit $2`,
    [after, limit],
  )
