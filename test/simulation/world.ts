// A shop in its own database, with a clock that only the simulation moves, and a record of everything it acknowledged.

import type pg from 'pg'
import { readConfig } from '../../src/base/config.ts'
import { Database, type PendingEvent, type Tx } from '../../src/base/database.ts'
import type { Buyer } from '../../src/base/buyer.ts'
import { Cache } from '../../src/base/cache.ts'
import { type ExternalEvent, cartSettings } from '../../src/cart/index.ts'
import { setLimits } from '../../src/cart/limits/limits-record.ts'
import { recordKinds } from '../../src/catalog/index.ts'
import type { Acquirer } from '../../src/orders/payments/acquirer.ts'
import { PaymentProcessor } from '../../src/orders/payments/payment-processor.ts'
import { testAcquirer } from '../../src/orders/payments/test-acquirer.ts'
import type { Chance } from './chance.ts'

/** The process stops here, and its transaction is rolled back. */
export class Crash extends Error {}

/** Breaks the shop on purpose, to test the checks. */
export interface Mutation {
  /** Replaces a statement. */
  sql?(sql: string): string
  /** Replaces an event. */
  publish?(event: PendingEvent): PendingEvent[]
}

/** Lets a transaction fail at a point that was drawn before it began. */
export type InjectFault = (tx: Tx) => Tx

export const offerIds = [1, 2, 3, 4, 5, 6]
/** Offers whose units are reserved for the carts that contain them. */
export const reservableIds = offerIds.filter((it) => it % 3 === 0)
export const moderatedIds = [1, 2]
export const buyers: readonly Buyer[] = [
  ...[1, 2, 3, 4].map((clientId) => ({ kind: 'client', clientId }) as const),
  ...[1, 2].map((it) => ({ kind: 'guest', sessionId: `session-${it}` }) as const),
]
export const nameOf = (buyer: Buyer): string =>
  buyer.kind === 'client' ? `client ${buyer.clientId}` : buyer.sessionId

/** Acknowledged units in a cart, by `o1` or `m1`. */
export type Held = Map<string, number>

export interface Expected {
  carts: Map<string, Held>
  /** Acknowledged orders with their buyers. */
  orders: Map<number, Buyer>
  /** Replies by Idempotency-Key, with the buyer who sent it. */
  replies: Map<string, { buyer: Buyer; body: string; at: number; methodId: number }>
  /** Messages of external producers, which may be repeated and late. */
  messages: ExternalEvent[]
  /** The number of promotions that were requested. */
  promotions: number
  /** Offers whose stock was lowered in this step, and offers with more reserved units than stock. */
  lowered: Set<string>
  overbooked: Set<string>
}

/** An external subscriber that reads all events by position and sometimes loses its position. */
export interface Subscriber {
  position: number
  /** By event id: how often the event was received, and its order ids. */
  received: Map<string, { times: number; orderIds: number[] }>
}

export interface World {
  db: Database
  /** The cache of the shop. It is invalidated late, as in another process. */
  cache: Cache
  chance: Chance
  processor: PaymentProcessor
  settings: ReturnType<typeof cartSettings>
  expected: Expected
  subscriber: Subscriber
  /** Moves the clock. */
  pass(ms: number): void
  now(): number
  /** Draws whether and where a transaction crashes between two of its statements. */
  fate(chance?: Chance): InjectFault
  /** Runs a transaction that may crash; null when it did. */
  risky<T>(injectFault: InjectFault, work: (tx: Tx) => Promise<T>): Promise<T | null>
  close(): Promise<void>
}

const beginning = Date.parse('2026-03-01T05:00:00Z')
const crashPercent = 8
const mostStatements = 14

export async function openWorld(
  connection: pg.PoolConfig,
  chance: Chance,
  mutation: Mutation = {},
): Promise<World> {
  let nowMs = beginning
  const clock = { now: () => new Date(nowMs) }
  const db = new Database({ connection, environment: 'test', clock, poolSize: 5 })
  await stockCatalog(db)
  const cache = new Cache()
  db.cache = cache
  return {
    db,
    cache,
    chance,
    processor: new PaymentProcessor(db, [unreliable(testAcquirer(db), chance)], () => {}),
    settings: cartSettings(readConfig({})),
    expected: {
      carts: new Map(),
      orders: new Map(),
      replies: new Map(),
      messages: [],
      promotions: 0,
      lowered: new Set(),
      overbooked: new Set(),
    },
    subscriber: { position: 0, received: new Map() },
    pass: (ms) => void (nowMs += ms),
    now: () => nowMs,
    fate: (drawn = chance) => {
      const crashes = drawn.percent(crashPercent)
      return crashingAfter(crashes ? drawn.below(mostStatements) : Infinity, mutation)
    },
    risky: (injectFault, work) => survived(db.transaction((tx) => work(injectFault(tx)))),
    close: () => db.close(),
  }
}

/** The result of the work; null when the process crashed in it. */
export const survived = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof Crash) return null
    throw error
  })

/** A transaction that crashes after this many statements. */
const crashingAfter =
  (
    statements: number,
    { sql: replaced = (sql) => sql, publish = (event) => [event] }: Mutation,
  ): InjectFault =>
  (tx) => {
    let left = statements
    const counted = <A extends unknown[], R>(act: (sql: string, ...rest: A) => R) =>
      ((sql: string, ...rest: A): R => {
        if (left-- <= 0) throw new Crash()
        return act(replaced(sql), ...rest)
      }) as typeof act
    const { push } = tx.published
    tx.published.push = (...events) => push.apply(tx.published, events.flatMap(publish))
    return {
      ...tx,
      all: counted(tx.all) as Tx['all'],
      one: counted(tx.one) as Tx['one'],
      maybe: counted(tx.maybe) as Tx['maybe'],
      later: counted(tx.later),
    }
  }

/** An acquirer whose requests and replies are sometimes lost. A request with a lost reply was carried out. */
function unreliable(acquirer: Acquirer, chance: Chance): Acquirer {
  const losing =
    <A extends unknown[], R>(send: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (chance.percent(5)) throw new Error('the request was lost')
      const reply = await send(...given)
      if (chance.percent(5)) throw new Error('the reply was lost')
      return reply
    }
  return {
    ...acquirer,
    authorise: losing(acquirer.authorise),
    capture: losing(acquirer.capture),
    void: losing(acquirer.void),
    refund: losing(acquirer.refund),
    find: losing(acquirer.find),
  }
}

async function stockCatalog(db: Database): Promise<void> {
  const load = async (record: string, fields: Record<string, unknown>) => {
    const kind = recordKinds.find((it) => it.name === record)!
    const refused = await db.transaction((tx) => kind.load(tx, [fields]))
    if (refused.length > 0) throw new Error(`${record}: ${JSON.stringify(refused)}`)
  }
  await load('category', { id: 1, slug: 'phones', name: { ru: 'Телефоны' } })
  for (const id of [1, 2])
    await load('partner', { id, slug: `partner-${id}`, name: `Partner ${id}`, credit_active: true })
  await load('loan_condition', { id: 1, partner_id: 1, duration: 6, commission: 12 })
  await load('loan_condition', { id: 2, partner_id: 2, duration: 12, commission: 24 })
  // Two offers share one product, so that product limits count units of both.
  for (const id of offerIds.slice(0, 5)) {
    const name = { ru: `Товар ${id}` }
    await load('product', { id, category_id: 1, slug: `product-${id}`, name })
  }
  const offer = (id: number) => ({
    id,
    product_id: Math.min(id, 5),
    partner_id: (id % 2) + 1,
    price_tiyin: 3_700_001 * id,
    // Reservable offers are scarce, so that buyers compete for them.
    quantity: reservableIds.includes(id) ? 3 : 4 * id,
    loan_condition_ids: [(id % 2) + 1],
    bnpl: { has_daily_payment: id > 3, prepayment_tiyin: id === 4 ? 1_000_001 : null },
    reservation_minutes: reservableIds.includes(id) ? 5 : null,
  })
  for (const id of offerIds) await load('offer', offer(id))
  for (const id of moderatedIds) await load('moderated_offer', { ...offer(id), status: 'approved' })
  // Low enough to be reached by a few orders.
  await db.transaction((tx) =>
    setLimits(tx, {
      dailyAmountTiyin: 200_000_000,
      productUnitsPer30Days: 15,
      creditTiyin: 100_000_000,
      guestAmountTiyin: 60_000_000,
      guestAuthorizationTiyin: 40_000_000,
    }),
  )
}
