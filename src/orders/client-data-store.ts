// The orders of one client, for the administration of clients.

import type { Reader, Tx } from '../base/database.ts'
import type { OrderStatus } from '../events.ts'
import { eraseMandates, moveMandates } from './mandates/store.ts'
import { eraseReviews, moveReviews } from './reviews/store.ts'

interface OrderedSummary {
  count: number
  recent: { id: number; status: OrderStatus; amountTiyin: number; createdAt: Date }[]
}

const shownOrders = 10

export async function ordersOfClient(read: Reader, clientId: number): Promise<OrderedSummary> {
  const { count } = await read.one<{ count: number }>(
    `select count(*) as count from orders_orders where client_id = $1`,
    [clientId],
  )
  const recent = await read.all<OrderedSummary['recent'][number]>(
    `select id, status, amount_tiyin as "amountTiyin", created_at as "createdAt" from orders_orders
     where client_id = $1 order by id desc limit ${shownOrders}`,
    [clientId],
  )
  return { count, recent }
}

/** Moves the orders, addresses, mandates and reviews of a duplicate to the client it was merged into. */
export async function moveOrders(tx: Tx, { from, into }: { from: number; into: number }): Promise<void> {
  await tx.all(`update orders_orders set client_id = $2 where client_id = $1`, [from, into])
  await tx.all(`update orders_addresses set client_id = $2 where client_id = $1`, [from, into])
  await moveMandates(tx, { from, into })
  await moveReviews(tx, { from, into })
}

/**
 * Removes the contact and the address from the orders of an erased client, the saved addresses, the reviews and the
 * mandates. Orders themselves are kept: accounting needs them. The address of a pick-up point is the shop's and stays.
 */
export async function eraseContacts(tx: Tx, clientId: number): Promise<void> {
  await tx.all(
    `update orders_orders set contact = null,
       delivery_address = case when delivery ->> 'point' is null then '' else delivery_address end,
       delivery = case when delivery is null then null
         else (delivery::jsonb || '{"address": null}'::jsonb)::json end
     where client_id = $1`,
    [clientId],
  )
  await tx.all(`delete from orders_addresses where client_id = $1`, [clientId])
  await eraseMandates(tx, clientId)
  await eraseReviews(tx, clientId)
}
