// Orders, their lines and their events.

import type { Buyer } from '../base/buyer.ts'
import type { Reader, Tx } from '../base/database.ts'
import { readLocked } from '../base/read-locked.ts'
import { applyEvents, type Order, type Ordered, type OrderLine } from './order.ts'
import { noProgress, type OrderEvent } from './order-events.ts'
import type { States } from './states.ts'

/** A line as its row in `orders_lines`. */
interface LineRow {
  number: number
  is_moderated: boolean
  offer_id: number
  product_id: number
  name: OrderLine['name']
  quantity: number
  price_tiyin: number
  discount_tiyin: number
  loan_condition_id: number | null
  loan_duration: number | null
  loan_commission: number | null
  loan_early_commission_percent: number | null
  prepayment_tiyin: number
  image: OrderLine['image']
}

const lineTypes: Record<keyof LineRow, string> = {
  number: 'int4',
  is_moderated: 'bool',
  offer_id: 'int8',
  product_id: 'int8',
  name: 'json',
  quantity: 'int4',
  price_tiyin: 'int8',
  discount_tiyin: 'int8',
  loan_condition_id: 'int8',
  loan_duration: 'int4',
  loan_commission: 'int4',
  loan_early_commission_percent: 'int4',
  prepayment_tiyin: 'int8',
  image: 'json',
}
const lineColumns = Object.keys(lineTypes) as (keyof LineRow)[]

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
  /** Values in the order of `lineColumns`. */
  lines: unknown[][]
}

export const orderColumns = `o.id, o.checkout_id as "checkoutId", o.client_id as "clientId", o.session_id as "sessionId",
  o.partner_id as "partnerId", o.partner_name as "partnerName", o.contact, o.payment_method_id as "methodId", o.mandate_id as "mandateId", o.delivery_address as address, o.delivery,
  o.coupon_code as "couponCode",
  o.amount_tiyin as "amountTiyin", o.day::text as day, o.created_at as "createdAt", o.updated_at as "updatedAt", o.version,
  (select json_agg(json_build_array(${lineColumns.map((it) => `line.${it}`).join(', ')}) order by line.number)
   from orders_lines line where line.order_id = o.id) as lines`

export const orderedOf = (row: OrderRow): Ordered & Pick<Order, 'id' | 'updatedAt' | 'version'> => {
  const { clientId, sessionId, lines, ...rest } = row
  return {
    ...rest,
    buyer: clientId === null ? { kind: 'guest', sessionId: sessionId! } : { kind: 'client', clientId },
    lines: lines.map(lineOf),
  }
}

function lineOf(values: readonly unknown[]): OrderLine {
  const row = Object.fromEntries(lineColumns.map((column, at) => [column, values[at]])) as unknown as LineRow
  return {
    number: row.number,
    isModerated: row.is_moderated,
    offerId: row.offer_id,
    productId: row.product_id,
    name: row.name,
    quantity: row.quantity,
    priceTiyin: row.price_tiyin,
    discountTiyin: row.discount_tiyin,
    loan:
      row.loan_condition_id === null
        ? null
        : {
            conditionId: row.loan_condition_id,
            duration: row.loan_duration!,
            commission: row.loan_commission!,
            earlyCommissionPercent: row.loan_early_commission_percent ?? 100,
          },
    prepaymentTiyin: row.prepayment_tiyin,
    image: row.image,
  }
}

const lineRow = (line: OrderLine): LineRow => ({
  number: line.number,
  is_moderated: line.isModerated,
  offer_id: line.offerId,
  product_id: line.productId,
  name: line.name,
  quantity: line.quantity,
  price_tiyin: line.priceTiyin,
  discount_tiyin: line.discountTiyin,
  loan_condition_id: line.loan?.conditionId ?? null,
  loan_duration: line.loan?.duration ?? null,
  loan_commission: line.loan?.commission ?? null,
  loan_early_commission_percent: line.loan?.earlyCommissionPercent ?? null,
  prepayment_tiyin: line.prepaymentTiyin,
  image: line.image,
})

interface EventRow {
  type: OrderEvent['type']
  at: string
  data: Record<string, unknown>
}

export interface OrderRowWithEvents extends OrderRow {
  events: EventRow[]
}

export const orderColumnsWithEvents = `${orderColumns},
  (select json_agg(json_build_object('type', event.type, 'at', event.at, 'data', event.data) order by event.number)
   from orders_events event where event.order_id = o.id) as events`

/** An order as it was placed, and what happened to it, oldest first. */
export function orderWithEvents({ events, ...row }: OrderRowWithEvents): {
  placed: Order
  events: OrderEvent[]
} {
  return {
    placed: { ...orderedOf(row), version: 0, progress: noProgress },
    events: events.map(({ type, at, data }) => ({ ...data, type, at: new Date(at) }) as OrderEvent),
  }
}

/** An order with its whole progress. */
export async function findOrder(read: Reader, id: number): Promise<Order | undefined> {
  const row = await read.maybe<OrderRowWithEvents>(
    `select ${orderColumnsWithEvents} from orders_orders o where o.id = $1`,
    [id],
  )
  if (!row) return undefined
  const { placed, events } = orderWithEvents(row)
  return applyEvents(placed, events)
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

/** Orders are parameters 1 to 18, the order ids of the lines are 19, and the columns of the lines follow. */
const insertCheckout = `with made as (
    insert into orders_orders (id, checkout_id, client_id, session_id, partner_id, payment_method_id, delivery_address,
      partner_name, contact, delivery, coupon_code, amount_tiyin, day, status, payment_status, fulfilment_status, version, created_at, updated_at, mandate_id) overriding system value
    select id, $1, $2, $3, partner_id, $4, address, partner_name, $5::json, delivery, coupon_code, amount_tiyin, $6, status, payment_status, fulfilment_status, 1, $7, $7, $8
    from unnest($9::int8[], $10::int8[], $11::int8[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::json[], $18::text[])
      as made (id, partner_id, amount_tiyin, status, payment_status, fulfilment_status, partner_name, address, delivery, coupon_code)),
  published as (
    insert into orders_events (order_id, number, type, data, at) select unnest($9::int8[]), 1, 'Placed', '{}', $7)
  insert into orders_lines (order_id, ${lineColumns.join(', ')})
  select * from unnest($19::int8[], ${lineColumns.map((it, at) => `$${20 + at}::${lineTypes[it]}[]`).join(', ')})`

/** Inserts the orders of one checkout with lines and first events. One statement, because a statement costs more than its rows. */
export function insertOrders(tx: Tx, orders: readonly [Order, ...Order[]], states: readonly States[]): void {
  const [{ checkoutId, buyer, methodId, mandateId, day, contact }] = orders
  const lines = orders.flatMap((order) =>
    order.lines.map((line) => ({ orderId: order.id, ...lineRow(line) })),
  )
  tx.later(insertCheckout, [
    checkoutId,
    buyer.kind === 'client' ? buyer.clientId : null,
    buyer.kind === 'guest' ? buyer.sessionId : null,
    methodId,
    contact && JSON.stringify(contact),
    day,
    tx.now,
    mandateId,
    orders.map((it) => it.id),
    orders.map((it) => it.partnerId),
    orders.map((it) => it.amountTiyin),
    states.map((it) => it.status),
    states.map((it) => it.paymentStatus),
    states.map((it) => it.fulfilmentStatus),
    orders.map((it) => it.partnerName),
    orders.map((it) => it.address),
    orders.map((it) => JSON.stringify(it.delivery)),
    orders.map((it) => it.couponCode),
    lines.map((it) => it.orderId),
    ...lineColumns.map((column) => lines.map((it) => lineValue(column, it[column]))),
  ])
}

const lineValue = (column: keyof LineRow, value: unknown): unknown =>
  lineTypes[column] === 'json' && value !== null ? JSON.stringify(value) : value

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
