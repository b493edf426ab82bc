// What clients owed on credit at past instants. It follows from their orders and the events of these; `cart_credits` has
// the present value alone. A merge moves orders, so the past of the remaining client becomes that of both clients together.

import type { Reader } from '../../base/database.ts'
import { applyEvents, type Order } from '../order.ts'
import type { OrderEvent } from '../order-events.ts'
import * as store from './credit-store.ts'
import { outstandingTiyin } from './instalments.ts'

/** Changes of what a client owed, oldest first; equal instants are one change. */
export interface CreditHistory {
  /** Milliseconds of the epoch. */
  atMs: Float64Array
  /** What is owed since then. */
  outstandingTiyin: Float64Array
}

/** What was owed just before an instant; undefined before the first purchase on credit. */
export function outstandingBefore(
  { atMs, outstandingTiyin: owed }: CreditHistory,
  instantMs: number,
): number | undefined {
  let low = 0
  let high = atMs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (atMs[middle]! < instantMs) low = middle + 1
    else high = middle
  }
  return low === 0 ? undefined : owed[low - 1]!
}

interface Change {
  atMs: number
  /** Negative for repayments. */
  tiyin: number
}

/** The events that change what is owed for an order. */
const creditEvents: ReadonlySet<OrderEvent['type']> = new Set([
  'Cancelled',
  'InstalmentsPaid',
  'ReturnReceived',
])

/** What an order adds to the debt of its client, and what its events take off. */
export function creditChangesOf({
  placed,
  events,
}: {
  placed: Order
  events: readonly OrderEvent[]
}): Change[] {
  let [order, owed, atMs] = [placed, outstandingTiyin(placed), placed.createdAt.getTime()]
  const changes: Change[] = [{ atMs, tiyin: owed }]
  for (const event of events) {
    order = applyEvents(order, [event])
    if (!creditEvents.has(event.type)) continue
    const after = outstandingTiyin(order)
    // After a reset of the test clock, an event may be earlier than the order.
    atMs = Math.max(atMs, event.at.getTime())
    changes.push({ atMs, tiyin: after - owed })
    owed = after
  }
  return changes
}

function historyOf(changes: readonly Change[]): CreditHistory {
  const sums = new Map<number, number>()
  let owed = 0
  for (const { atMs, tiyin } of changes.toSorted((a, b) => a.atMs - b.atMs)) {
    owed += tiyin
    sums.set(atMs, owed)
  }
  return { atMs: Float64Array.from(sums.keys()), outstandingTiyin: Float64Array.from(sums.values()) }
}

/** Limits the orders of one client that are read. */
const maxOrders = 10_000

/** Undefined for a client who has never bought on credit. */
export async function creditHistoryOf(read: Reader, clientId: number): Promise<CreditHistory | undefined> {
  const orders = await store.ordersOfClient(read, { clientId, limit: maxOrders })
  return orders.length > 0 ? historyOf(orders.flatMap(creditChangesOf)) : undefined
}

const pageSize = 500

interface HistoriesOptions {
  /** Instants before it are not asked; orders that were settled before it are read without their events. */
  since: Date
  /** Wraps the reading of each page. */
  withRetries?: <T>(work: () => Promise<T>) => Promise<T>
}

/** Of all clients who have ever bought on credit, in small pages. */
export async function creditHistories(
  read: Reader,
  { since, withRetries = (work) => work() }: HistoriesOptions,
): Promise<Map<number, CreditHistory>> {
  const changes = new Map<number, Change[]>()
  const add = (clientId: number, own: readonly Change[]) => {
    const known = changes.get(clientId)
    if (known) known.push(...own)
    else changes.set(clientId, [...own])
  }
  for (let after = 0; ;) {
    const page = { after, limit: pageSize }
    const clients = await withRetries(() => store.firstOrdersOnCredit(read, page))
    for (const { clientId, firstAt } of clients) add(clientId, [{ atMs: firstAt.getTime(), tiyin: 0 }])
    if (clients.length < pageSize) break
    after = clients.at(-1)!.clientId
  }
  for (let after = 0; ;) {
    const page = { after, since, limit: pageSize }
    const orders = await withRetries(() => store.ordersOwedSince(read, page))
    for (const it of orders)
      if (it.placed.buyer.kind === 'client') add(it.placed.buyer.clientId, creditChangesOf(it))
    if (orders.length < pageSize) break
    after = orders.at(-1)!.placed.id
  }
  return new Map([...changes].map(([clientId, own]) => [clientId, historyOf(own)]))
}
