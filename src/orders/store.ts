// Orders, their lines and their events.

import type { Buyer } from '../base/buyer.ts'
import type { Reader, Tx } from '../base/database.ts'
import { readLocked } from '../base/read-locked.ts'
import { applyEvents, type Order, type Ordered, type OrderLine } from './order.ts'
import { noProgress, type OrderEvent } from './order-events.ts'
import type { States } from './states.ts'

type LineTuple = [
  number: number,
  isModerated: boolean,
  offerId: number,
  productId: number,
  name: OrderLine['name'],
  quantity: number,
  priceTiyin: number,
  conditionId: number | null,
  duration: number | null,
  commission: number | null,
  prepaymentTiyin: number,
  image: OrderLine['image'],
  earlyCommissionPercent: number | null,
  discountTiyin: number,
]

export interface OrderRow {
  id: number
  checkoutId: string
  clientId: number | null
  sessionId: string | null
  partnerId: number
  partnerName: string | null
  contact: Order['contact']
  methodId: number
  mandateId: string | null
  address: string
  delivery: Order['delivery']
  couponCode: string | null
  amountTiyin: number
  day: string
  createdAt: Date
  updatedAt: Date
  version: number
  lines: LineTuple[]
}

export const orderColumns = `o.id, o.checkout_id as "checkoutId", o.client_id as "clientId", o.session_id as "sessionId",
  o.partner_id as "partnerId", o.partner_name as "partnerName", o.contact, o.payment_method_id as "methodId", o.mandate_id as "mandateId", o.delivery_address as address, o.delivery,
  o.coupon_code as "couponCode",
  o.amount_tiyin as "amountTiyin", o.day::text as day, o.created_at as "createdAt", o.updated_at as "updatedAt", o.version,
  (select json_agg(json_build_array(line.number, line.is_moderated, line.offer_id, line.product_id, line.name, line.quantity,
     line.price_tiyin, line.loan_condition_id, line.loan_duration, line.loan_commission, line.prepayment_tiyin, line.image,
     line.loan_early_commission_percent, line.discount_tiyin) order by line.number)
   from orders_lines line where line.order_id = o.id) as lines`

export const orderedOf = (row: OrderRow): Ordered & Pick<Order, 'id' | 'updatedAt' | 'version'> => {
  const { clientId, sessionId, lines, ...rest } = row
  return {
    ...rest,
    buyer: clientId === null ? { kind: 'guest', sessionId: sessionId! } : { kind: 'client', clientId },
    lines: lines.map(lineOf),
  }
}

const lineOf = (it: LineTuple): OrderLine => ({
  number: it[0],
  isModerated: it[1],
  offerId: it[2],
  productId: it[3],
  name: it[4],
  quantity: it[5],
  priceTiyin: it[6],
  discountTiyin: it[13],
  loan:
    it[7] === null
      ? null
      : {
          conditionId: it[7],
          duration: it[8]!,
          commission: it[9]!,
          earlyCommissionPercent: it[12] ?? 100,
        },
  prepaymentTiyin: it[10],
  image: it[11],
})

interface EventRow {
  type: OrderEvent['type']
  at: string
  data: Record<string, unknown>
}

/** An order with its whole progress. */
export async function findOrder(read: Reader, id: number): Promise<Order | undefined> {
  const row = await read.maybe<OrderRow & { events: EventRow[] }>(
    `select ${orderColumns}, (select json_agg(json_build_object('type', event.type, 'at', event.at, 'data', event.data) order by event.number)
       from orders_events event where event.order_id = o.id) as events
     from orders_orders o where o.id = $1`,
    [id],
  )
  if (!row) return undefined
  const { events, ...rest } = row
  const orderEvents = events.map(({ type, at, data }) => ({ ...data, type, at: new Date(at) }) as OrderEvent)
  return applyEvents({ ...orderedOf(rest), version: 0, progress: noProgress }, orderEvents)
}

/** Locks and reads an order. */
export const lockOrder = (tx: Tx, id: number): Promise<Order | undefined> =>
  readLocked(tx, {
    lock: () => tx.maybe(`select id from orders_orders where id = $1 for update`, [id]),
    read: () => findOrder(tx, id),
  })

/** The events of an order, oldest first. */
export const listEvents = (read: Reader, id: number): Promise<(EventRow & { number: number })[]> =>
  read.all(
    `select number, type, at, data from orders_events where order_id = $1 order by number limit 10000`,
    [id],
  )

/** The id for a new order. The id of a refused order is not reused. */
export const nextOrderId = async (tx: Tx): Promise<number> =>
  (await tx.one<{ id: number }>(`select nextval('orders_orders_id_seq') as id`)).id

/** Inserts the orders of one checkout with lines and first events. One statement, because a statement costs more than its rows. */
export function insertOrders(tx: Tx, orders: readonly [Order, ...Order[]], states: readonly States[]): void {
  const [{ checkoutId, buyer, methodId, mandateId, day, contact }] = orders
  const lines = orders.flatMap((order) => order.lines.map((line) => ({ ...line, orderId: order.id })))
  tx.later(
    `with made as (
       insert into orders_orders (id, checkout_id, client_id, session_id, partner_id, payment_method_id, delivery_address,
         partner_name, contact, delivery, coupon_code, amount_tiyin, day, status, payment_status, fulfilment_status, version, created_at, updated_at, mandate_id) overriding system value
       select id, $1, $2, $3, partner_id, $4, address, partner_name, $27::json, delivery, coupon_code, amount_tiyin, $6, status, payment_status, fulfilment_status, 1, $7, $7, $31
       from unnest($8::int8[], $9::int8[], $10::int8[], $11::text[], $12::text[], $13::text[], $28::text[], $5::text[], $29::json[], $32::text[])
         as made (id, partner_id, amount_tiyin, status, payment_status, fulfilment_status, partner_name, address, delivery, coupon_code)),
     published as (
       insert into orders_events (order_id, number, type, data, at) select unnest($8::int8[]), 1, 'Placed', '{}', $7)
     insert into orders_lines (order_id, number, is_moderated, offer_id, product_id, name, quantity, price_tiyin,
       loan_condition_id, loan_duration, loan_commission, prepayment_tiyin, image, loan_early_commission_percent, discount_tiyin)
     select * from unnest($14::int8[], $15::int4[], $16::bool[], $17::int8[], $18::int8[], $19::json[], $20::int4[],
       $21::int8[], $22::int8[], $23::int4[], $24::int4[], $25::int8[], $26::json[], $30::int4[], $33::int8[])`,
    [
      checkoutId,
      buyer.kind === 'client' ? buyer.clientId : null,
      buyer.kind === 'guest' ? buyer.sessionId : null,
      methodId,
      orders.map((it) => it.address),
      day,
      tx.now,
      orders.map((it) => it.id),
      orders.map((it) => it.partnerId),
      orders.map((it) => it.amountTiyin),
      states.map((it) => it.status),
      states.map((it) => it.paymentStatus),
      states.map((it) => it.fulfilmentStatus),
      lines.map((it) => it.orderId),
      lines.map((it) => it.number),
      lines.map((it) => it.isModerated),
      lines.map((it) => it.offerId),
      lines.map((it) => it.productId),
      lines.map((it) => JSON.stringify(it.name)),
      lines.map((it) => it.quantity),
      lines.map((it) => it.priceTiyin),
      lines.map((it) => it.loan?.conditionId ?? null),
      lines.map((it) => it.loan?.duration ?? null),
      lines.map((it) => it.loan?.commission ?? null),
      lines.map((it) => it.prepaymentTiyin),
      lines.map((it) => it.image && JSON.stringify(it.image)),
      contact && JSON.stringify(contact),
      orders.map((it) => it.partnerName),
      orders.map((it) => JSON.stringify(it.delivery)),
      lines.map((it) => it.loan?.earlyCommissionPercent ?? null),
      mandateId,
      orders.map((it) => it.couponCode),
      lines.map((it) => it.discountTiyin),
    ],
  )
}

/** Appends events to a locked order and stores the states that follow from them. */
export function appendEvents(
  tx: Tx,
  order: Order,
  { events, states }: { events: readonly OrderEvent[]; states: States },
): void {
  const first = order.version - events.length + 1
  tx.later(
    `insert into orders_events (order_id, number, type, data, at)
     select $1, number, type, data, $5 from unnest($2::int4[], $3::text[], $4::json[]) as event (number, type, data)`,
    [
      order.id,
      events.map((_, at) => first + at),
      events.map((it) => it.type),
      events.map(({ type: _type, at: _at, ...data }) => JSON.stringify(data)),
      tx.now,
    ],
  )
  tx.later(
    `update orders_orders set status = $2, payment_status = $3, fulfilment_status = $4, version = $5, updated_at = $6 where id = $1`,
    [order.id, states.status, states.paymentStatus, states.fulfilmentStatus, order.version, order.updatedAt],
  )
}

/** Orders created before an instant that still await payment, oldest first. */
export const unpaidBefore = async (read: Reader, instant: Date, limit: number): Promise<number[]> =>
  (
    await read.all<{ id: number }>(
      `select id from orders_orders where status = 'awaiting_payment' and created_at < $1 order by id limit $2`,
      [instant, limit],
    )
  ).map((it) => it.id)

/** Orders by these methods that are not completed or cancelled, by id. */
export const openOrdersAfter = async (
  read: Reader,
  { after, methodIds, limit }: { after: number; methodIds: readonly number[]; limit: number },
): Promise<number[]> =>
  (
    await read.all<{ id: number }>(
      `select id from orders_orders where id > $1 and status in ('confirmed', 'delivered') and payment_method_id = any($2)
       order by id limit $3`,
      [after, methodIds, limit],
    )
  ).map((it) => it.id)

/** Which of these clients have orders. */
export const clientsWithOrders = async (read: Reader, clientIds: readonly number[]): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select wanted.id as "clientId" from unnest($1::int8[]) as wanted (id)
       where exists (select 1 from orders_orders where client_id = wanted.id)`,
      [clientIds],
    )
  ).map((it) => it.clientId)

/** A line of an order with the buyer and the time of ordering. */
export interface OrderedLine extends Pick<OrderLine, 'isModerated' | 'offerId' | 'quantity' | 'priceTiyin'> {
  buyer: Buyer
  orderedAt: Date
}

export const orderedLines = async (read: Reader, orderIds: readonly number[]): Promise<OrderedLine[]> => {
  const rows = await read.all<
    Omit<OrderedLine, 'buyer'> & { clientId: number | null; sessionId: string | null }
  >(
    `select o.client_id as "clientId", o.session_id as "sessionId", o.created_at as "orderedAt",
       line.is_moderated as "isModerated", line.offer_id as "offerId", line.quantity, line.price_tiyin as "priceTiyin"
     from orders_orders o join orders_lines line on line.order_id = o.id where o.id = any($1) order by o.id, line.number`,
    [orderIds],
  )
  return rows.map(({ clientId, sessionId, ...line }) => ({
    ...line,
    buyer: clientId === null ? { kind: 'guest', sessionId: sessionId! } : { kind: 'client', clientId },
  }))
}
