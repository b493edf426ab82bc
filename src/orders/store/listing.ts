import type { Reader } from '../../base/db.ts'
import { type Listing, sliceOf, type Slice } from '../../base/listing.ts'
import type { States } from '../states.ts'
import { orderColumns, orderedOf, type OrderRow } from './orders.ts'

/** Which orders are wanted; undefined asks for all. */
export interface Wanted {
  clientId?: number | undefined
  sessionId?: string | undefined
  partnerId?: number | undefined
  methodId?: number | undefined
  status?: string | undefined
  paymentStatus?: string | undefined
  fulfilmentStatus?: string | undefined
  checkoutId?: string | undefined
  from?: Date | undefined
  until?: Date | undefined
}

export type OrderSummary = ReturnType<typeof orderedOf> & States

const conditions: Record<keyof Wanted, string> = {
  clientId: 'o.client_id =',
  sessionId: 'o.session_id =',
  partnerId: 'o.partner_id =',
  methodId: 'o.payment_method_id =',
  status: 'o.status =',
  paymentStatus: 'o.payment_status =',
  fulfilmentStatus: 'o.fulfilment_status =',
  checkoutId: 'o.checkout_id =',
  from: 'o.created_at >=',
  until: 'o.created_at <',
}

/** Counting on would cost more with every order that was ever made. */
const mostCounted = 10_000

export async function listOrders(
  read: Reader,
  listing: Listing,
  wanted: Wanted,
): Promise<Slice<OrderSummary>> {
  const asked = (Object.keys(conditions) as (keyof Wanted)[]).filter((it) => wanted[it] !== undefined)
  const { rows, ...rest } = await sliceOf<OrderRow & States>(
    read,
    {
      columns: `${orderColumns}, o.status, o.payment_status as "paymentStatus", o.fulfilment_status as "fulfilmentStatus"`,
      from: 'orders_orders o',
      where: asked.map((it, at) => `${conditions[it]} $${at + 1}`),
      values: asked.map((it) => wanted[it]),
      // Ids grow with time, so both names mean one order.
      sorts: { id: { by: 'o.id', type: 'int8' }, created_at: { by: 'o.id', type: 'int8' } },
      key: { by: 'o.id', type: 'int8' },
      mostCounted,
      // An order stays for ever, and so does whose it is and when it was made; its states change.
      onlyGrows: !(wanted.status ?? wanted.paymentStatus ?? wanted.fulfilmentStatus),
    },
    listing,
  )
  return {
    ...rest,
    rows: rows.map(({ status, paymentStatus, fulfilmentStatus, ...row }) => ({
      ...orderedOf(row),
      status,
      paymentStatus,
      fulfilmentStatus,
    })),
  }
}
