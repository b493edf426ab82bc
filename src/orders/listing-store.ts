import type { Reader } from '../base/database.ts'
import { type ListRequest, loadPage, type ListPage } from '../base/listing.ts'
import type { States } from './states.ts'
import { orderColumns, orderedOf, type OrderRow } from './store.ts'

/** Filters of the order list; an undefined filter matches all orders. */
export interface OrderFilters {
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

const conditions: Record<keyof OrderFilters, string> = {
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

export async function listOrders(
  read: Reader,
  listing: ListRequest,
  filters: OrderFilters,
): Promise<ListPage<OrderSummary>> {
  const used = (Object.keys(conditions) as (keyof OrderFilters)[]).filter((it) => filters[it] !== undefined)
  const { rows, ...rest } = await loadPage<OrderRow & States>(
    read,
    {
      columns: `${orderColumns}, o.status, o.payment_status as "paymentStatus", o.fulfilment_status as "fulfilmentStatus"`,
      from: 'orders_orders o',
      where: used.map((it, at) => `${conditions[it]} $${at + 1}`),
      values: used.map((it) => filters[it]),
      // Ids grow with time, so both sorts give the same sequence.
      sorts: { id: { by: 'o.id', type: 'int8' }, created_at: { by: 'o.id', type: 'int8' } },
      key: { by: 'o.id', type: 'int8' },
      // Orders are never deleted; buyer and creation time never change, states do.
      isAppendOnly: !(filters.status ?? filters.paymentStatus ?? filters.fulfilmentStatus),
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
