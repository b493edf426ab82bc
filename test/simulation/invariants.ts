// What must hold in the shop at every moment, checked with SQL statements other than those of the shop.

import type { Reader } from '../../src/base/database.ts'
import { listOrders } from '../../src/orders/listing-store.ts'
import { findOrder } from '../../src/orders/store.ts'
import { type Order, owedTiyin } from '../../src/orders/order.ts'
import { keptTiyin } from '../../src/orders/payments/payment.ts'
import { isInInstalments, outstandingTiyin } from '../../src/orders/payments/instalments.ts'
import { statesOf } from '../../src/orders/states.ts'
import { buyers, nameOf, type World } from './world.ts'

interface Check {
  name: string
  /** Selects the rows that violate it. */
  sql: string
}

const offers = `(select 'offer' as kind, id, quantity from catalog_offers
  union all select 'moderated', id, quantity from catalog_moderated_offers)`
const kindOf = `case when line.is_moderated then 'moderated' else 'offer' end`
const moved = (cause: string) =>
  `coalesce((select sum(change) from catalog_stock_movements m
    where m.offer_kind = offer.kind and m.offer_id = offer.id and m.cause = '${cause}'), 0)`
const linesOf = (more: string) =>
  `coalesce((select sum(line.quantity) from orders_lines line join orders_orders o on o.id = line.order_id
    where line.offer_id = offer.id and ${kindOf} = offer.kind ${more}), 0)`

const checks: Check[] = [
  {
    name: 'I1: stock movements add up to the stock, which is never below zero',
    sql: `select * from ${offers} offer where quantity < 0 or quantity <> coalesce((select sum(change)
      from catalog_stock_movements m where m.offer_kind = offer.kind and m.offer_id = offer.id), 0)`,
  },
  {
    name: 'I1: units taken for orders are the units that were ordered',
    sql: `select offer.* from ${offers} offer where -${moved('ordered')} <> ${linesOf('')}`,
  },
  {
    name: 'I1: units of cancelled orders are returned to the stock once',
    sql: `select offer.* from ${offers} offer where ${moved('cancelled')} <> ${linesOf(`and o.status = 'cancelled'`)}`,
  },
  {
    name: 'I2: the amount of an order is the sum of its lines',
    sql: `select o.id from orders_orders o join orders_lines line on line.order_id = o.id
      group by o.id, o.amount_tiyin having sum(line.price_tiyin * line.quantity) <> o.amount_tiyin`,
  },
  {
    name: 'I6: the other environment is empty',
    sql: `select id::text from live.orders_orders union all select id::text from live.cart_carts
      union all select id::text from live.catalog_offers`,
  },
  {
    name: 'I7: no client exceeds the daily amount',
    sql: `select client_id, day from test.cart_purchases, cart_limits group by client_id, day, daily_amount_tiyin
      having sum(amount_tiyin) > daily_amount_tiyin`,
  },
  {
    name: 'I7: no client exceeds the units of a product in thirty days',
    sql: `select client_id, product_id from test.cart_purchases, cart_limits where day > $1::date - 30
      group by client_id, product_id, product_units_per_30_days having sum(units) > product_units_per_30_days`,
  },
  {
    name: 'I7: no client exceeds the credit limit',
    sql: `select client_id from cart_credits, cart_limits where outstanding_tiyin > credit_tiyin`,
  },
  {
    name: 'I7: no guest exceeds the amount that requires signing in',
    sql: `select checkout_id from orders_orders, cart_limits where session_id is not null
      group by checkout_id, guest_authorization_tiyin having sum(amount_tiyin) > guest_authorization_tiyin`,
  },
  {
    name: 'I9: every order is published exactly once',
    sql: `select o.id from orders_orders o left join (select json_array_elements_text(fields -> 'orderIds')::int8 as id
        from outbox_events where type = 'OrdersCreated') published on published.id = o.id
      group by o.id having count(published.id) <> 1`,
  },
  {
    name: 'no event of an order is missing or duplicated',
    sql: `select o.id from orders_orders o join orders_events event on event.order_id = o.id
      group by o.id, o.version having count(*) <> o.version or max(event.number) <> o.version`,
  },
]

/** Throws when an invariant does not hold. */
export async function checkInvariants(world: World): Promise<void> {
  const read = world.db.read()
  const day = world.settings.dayOf(read.now)
  for (const { name, sql } of checks) {
    const rows = await read.all(sql, sql.includes('$1') ? [day] : [])
    if (rows.length > 0) throw new Error(`${name}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  await checkReservations(read, world)
  await checkCarts(read, world)
  await checkOrders(read, world)
  await checkLists(read, world)
}

/** I1: reservations exceed the stock only after the stock was lowered; such an excess may remain. */
async function checkReservations(read: Reader, { expected }: World): Promise<void> {
  const rows = await read.all<{ key: string }>(
    `select case when offer.kind = 'moderated' then 'm' else 'o' end || offer.id as key from ${offers} offer
     join cart_items line on line.offer_id = offer.id and ${kindOf} = offer.kind and line.reserved_until > $1
     group by offer.kind, offer.id, offer.quantity having sum(line.quantity) > offer.quantity`,
    [read.now],
  )
  const overbooked = new Set(rows.map((it) => it.key))
  const fresh = [...overbooked].filter((it) => !expected.overbooked.has(it) && !expected.lowered.has(it))
  if (fresh.length > 0) throw new Error(`I1: more units are reserved than in stock of ${fresh.join(', ')}`)
  expected.overbooked = overbooked
  expected.lowered.clear()
}

/** I6: buyers who list their orders see all of their own and no others. */
async function checkLists(read: Reader, { expected }: World): Promise<void> {
  const listing = { page: 1, perPage: 100, sort: 'id', cursor: undefined }
  for (const buyer of buyers) {
    const whose = buyer.kind === 'client' ? { clientId: buyer.clientId } : { sessionId: buyer.sessionId }
    const { rows } = await listOrders(read, listing, whose)
    const shown = rows.map((it) => it.id).join()
    const own = [...expected.orders].filter(([, it]) => nameOf(it) === nameOf(buyer)).map(([id]) => id)
    const ownIds = own.toSorted((a, b) => a - b).join()
    if (shown !== ownIds)
      throw new Error(`I6: ${nameOf(buyer)} has the orders ${ownIds}, but the list shows ${shown}`)
  }
}

/** I3: every acknowledged unit is in the cart or in an order, and only there. */
async function checkCarts(read: Reader, { expected }: World): Promise<void> {
  const rows = await read.all<{ buyer: string; held: string; units: number }>(
    `select coalesce('client ' || cart.client_id, cart.session_id) as buyer,
       case when line.is_moderated then 'm' else 'o' end || line.offer_id as held, line.quantity as units
     from cart_carts cart join cart_items line on line.cart_id = cart.id
     where cart.expires_at is null or cart.expires_at > $1`,
    [read.now],
  )
  for (const buyer of buyers.map(nameOf)) {
    const stored = new Map(rows.filter((it) => it.buyer === buyer).map((it) => [it.held, it.units]))
    const isGuest = buyer.startsWith('session')
    const lines = expected.carts.get(buyer) ?? new Map<string, number>()
    // The cart of a guest expires.
    if (isGuest && stored.size === 0) lines.clear()
    const expectedLines = JSON.stringify([...lines].toSorted())
    const actual = JSON.stringify([...stored].toSorted())
    if (expectedLines !== actual)
      throw new Error(`I3: the cart of ${buyer} should hold ${expectedLines} and holds ${actual}`)
  }
}

interface Counted {
  units: number
  amount: number
}

/** I5, I7: all orders exist, their states match their events, and the limits count exactly these orders. */
async function checkOrders(read: Reader, { expected }: World): Promise<void> {
  const rows = await read.all<{ id: number; states: string }>(
    `select id, concat_ws(' ', status, payment_status, fulfilment_status) as states from orders_orders order by id`,
  )
  const missing = [...expected.orders.keys()].filter((id) => !rows.some((it) => it.id === id))
  if (missing.length > 0 || rows.length !== expected.orders.size)
    throw new Error(`I5: ${expected.orders.size} orders were acknowledged, ${rows.length} exist`)
  const bought = new Map<string, Counted>()
  const credit = new Map<number, number>()
  for (const { id, states } of rows) {
    const order = (await findOrder(read, id))!
    const derived = Object.values(statesOf(order)).join(' ')
    if (derived !== states) throw new Error(`order ${id} is "${states}", but its events say "${derived}"`)
    checkMoney(order)
    if (order.buyer.kind === 'guest' || order.progress.cancelled) continue
    const { clientId } = order.buyer
    if (isInInstalments(order)) credit.set(clientId, (credit.get(clientId) ?? 0) + outstandingTiyin(order))
    const back = order.progress.returns.filter((it) => it.status === 'received').flatMap((it) => it.lines)
    for (const line of order.lines) {
      const returned = back.filter((it) => it.line === line.number).reduce((sum, it) => sum + it.quantity, 0)
      const units = line.quantity - returned
      const key = `${clientId} ${order.day} ${line.productId}`
      const held = bought.get(key) ?? { units: 0, amount: 0 }
      bought.set(key, { units: held.units + units, amount: held.amount + units * line.priceTiyin })
    }
  }
  await checkCounters(read, bought, credit)
}

/** I2: the money kept never exceeds the price of the units that were not returned, unless a bank refused a refund. */
function checkMoney(order: Order): void {
  const { payments } = order.progress
  const isRefused = payments.some((it) => it.refunds.some(({ status }) => status === 'failed'))
  const kept = payments.reduce((sum, it) => sum + keptTiyin(it), 0)
  if (!isRefused && !isInInstalments(order) && kept > owedTiyin(order))
    throw new Error(`I2: order ${order.id} keeps ${kept} for units that cost ${owedTiyin(order)}`)
}

async function checkCounters(
  read: Reader,
  bought: Map<string, Counted>,
  credit: Map<number, number>,
): Promise<void> {
  const thirtyDaysAgo = new Date(read.now.getTime() - 30 * 86_400_000).toISOString().slice(0, 10)
  const kept = await read.all<{ key: string; units: number; amount: number }>(
    `select concat_ws(' ', client_id, day, product_id) as key, units, amount_tiyin as amount from cart_purchases`,
  )
  for (const key of new Set([...bought.keys(), ...kept.map((it) => it.key)])) {
    // Purchases that no longer count towards a limit may be deleted.
    if (key.split(' ')[1]! < thirtyDaysAgo && !kept.some((it) => it.key === key)) continue
    const [is, counts] = [kept.find((it) => it.key === key), bought.get(key)]
    if ((is?.units ?? 0) !== (counts?.units ?? 0) || (is?.amount ?? 0) !== (counts?.amount ?? 0))
      throw new Error(
        `I7: limits count ${JSON.stringify(is)} of ${key}; orders say ${JSON.stringify(counts)}`,
      )
  }
  const owed = await read.all<{ clientId: number; tiyin: number }>(
    `select client_id as "clientId", outstanding_tiyin as tiyin from cart_credits`,
  )
  for (const clientId of new Set([...credit.keys(), ...owed.map((it) => it.clientId)])) {
    const is = owed.find((it) => it.clientId === clientId)?.tiyin ?? 0
    if (is !== (credit.get(clientId) ?? 0))
      throw new Error(`I7: client ${clientId} owes ${is}, but the orders say ${credit.get(clientId) ?? 0}`)
  }
}

/** After all banks have replied: they hold what the orders say, and nothing for cancelled orders. */
export async function checkCharges({ db }: World): Promise<void> {
  const read = db.read()
  const open = await read.all(`select kind, attempts from orders_payment_tasks where done_at is null`)
  if (open.length > 0) throw new Error(`bank requests are pending: ${JSON.stringify(open.slice(0, 3))}`)
  const charges = await read.all<{
    id: string
    status: string
    kept: number
    orderId: number
    behaviour: string
  }>(
    `select charge.payment_id as id, charge.status, charge.amount_tiyin - charge.refunded_tiyin as kept, charge.behaviour,
       payment.order_id as "orderId" from orders_test_charges charge join orders_payments payment on payment.id = charge.payment_id`,
  )
  for (const { id, status, kept, orderId, behaviour } of charges) {
    const order = (await findOrder(read, orderId))!
    const payment = order.progress.payments.find((it) => it.id === id)!
    if (payment.status !== status)
      throw new Error(`payment ${id} is ${payment.status}; its bank says ${status}`)
    if (status !== 'captured') continue
    if (keptTiyin(payment) !== kept)
      throw new Error(`payment ${id} keeps ${keptTiyin(payment)}; its bank ${kept}`)
    if (order.progress.cancelled && kept > 0 && behaviour !== 'noRefund')
      throw new Error(`a bank keeps ${kept} for order ${orderId}, which was cancelled`)
  }
}

/** I9: after delivery each order has one event, which was received, in the sequence of its subject. */
export async function checkDelivery({ db, expected, subscriber }: World): Promise<void> {
  const read = db.read()
  for (const id of expected.orders.keys()) {
    const events = [...subscriber.received.values()].filter((it) => it.orderIds.includes(id))
    if (events.length !== 1) throw new Error(`I9: ${events.length} events were received for order ${id}`)
  }
  const disordered = await read.all(
    `select subject, sequence from (select subject, sequence, position,
       lag(sequence) over (partition by subject order by position) as before from outbox_events) published
     where position is null or before > sequence`,
  )
  const failed = await read.all(`select reaction, error from outbox_failures`)
  if (disordered.length + failed.length > 0)
    throw new Error(
      `I9: events were not delivered in sequence: ${JSON.stringify([...disordered, ...failed].slice(0, 3))}`,
    )
}
