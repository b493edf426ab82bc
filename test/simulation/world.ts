// A shop in a database of its own, with a clock that only the simulation moves, and a memory of all that it promised.

import type pg from 'pg'
import { Database, type Tx } from '../../src/base/db.ts'
import type { Buyer } from '../../src/base/buyer.ts'
import { termsOf } from '../../src/cart/index.ts'
import { recordKinds } from '../../src/catalog/index.ts'
import type { InFlight } from '../../src/http/idempotency.ts'
import type { Acquirer } from '../../src/orders/payments/acquirer.ts'
import { PaymentDesk } from '../../src/orders/payments/desk.ts'
import { testAcquirer } from '../../src/orders/payments/test-acquirer.ts'
import type { Chance } from './chance.ts'

/** The process dies here: what its transaction did is undone. */
export class Crash extends Error {}

/** Changes what a statement does, for a simulation of a shop that is broken on purpose. */
export type Tamper = (sql: string) => string

export const offerIds = [1, 2, 3, 4, 5, 6] as const
export const moderatedIds = [1, 2] as const
export const buyers: readonly Buyer[] = [
  ...[1, 2, 3, 4].map((clientId) => ({ kind: 'client', clientId }) as const),
  ...[1, 2].map((it) => ({ kind: 'guest', sessionId: `session-${it}` }) as const),
]
export const nameOf = (buyer: Buyer): string =>
  buyer.kind === 'client' ? `client ${buyer.clientId}` : buyer.sessionId

/** Units that a buyer was told he holds, by `o1` or `m1`. */
export type Held = Map<string, number>

export interface Promises {
  carts: Map<string, Held>
  /** Orders that were acknowledged. */
  orderIds: Set<number>
  /** Replies by Idempotency-Key, with the buyer who sent it. */
  replies: Map<string, { buyer: Buyer; body: string; at: number; methodId: number }>
  /** Messages of outside producers that may come again, and late. */
  messages: { eventType: string; data: unknown; time: string; sequence: number }[]
}

export interface World {
  db: Database
  chance: Chance
  desk: PaymentDesk
  terms: ReturnType<typeof termsOf>
  inFlight: InFlight
  promised: Promises
  /** Moves the clock. */
  pass(ms: number): void
  now(): number
  /** A transaction that may crash between any two of its statements; null when it did. */
  risky<T>(work: (tx: Tx) => Promise<T>): Promise<T | null>
  spoil(tx: Tx): Tx
  close(): Promise<void>
}

const beginning = Date.parse('2026-03-01T05:00:00Z')
const crashPercent = 8
const mostStatements = 14

export async function openWorld(
  connection: pg.PoolConfig,
  chance: Chance,
  tamper: Tamper = (sql) => sql,
): Promise<World> {
  let nowMs = beginning
  const clock = { now: () => new Date(nowMs) }
  const db = new Database({ connection, environment: 'test', clock, poolSize: 3 })
  await stockShelves(db)
  /** A handle that dies at one of its next statements, when chance says so. */
  const spoil = (tx: Tx): Tx => {
    let left = chance.percent(crashPercent) ? chance.below(mostStatements) : Infinity
    const dying = <A extends unknown[], R>(act: (sql: string, ...rest: A) => R) =>
      ((sql: string, ...rest: A): R => {
        if (left-- <= 0) throw new Crash()
        return act(tamper(sql), ...rest)
      }) as typeof act
    return {
      ...tx,
      all: dying(tx.all) as Tx['all'],
      one: dying(tx.one) as Tx['one'],
      maybe: dying(tx.maybe) as Tx['maybe'],
      later: dying(tx.later),
    }
  }
  const risky: World['risky'] = (work) =>
    db
      .transaction((tx) => work(spoil(tx)))
      .catch((error: unknown) => {
        if (error instanceof Crash) return null
        throw error
      })
  return {
    db,
    chance,
    desk: new PaymentDesk(db, [forgetful(testAcquirer(db), chance)], () => {}),
    terms: termsOf({ guestCartDays: 14, abandonedCartDays: 14, timezone: 'Asia/Tashkent' }),
    inFlight: new Map(),
    promised: { carts: new Map(), orderIds: new Set(), replies: new Map(), messages: [] },
    pass: (ms) => void (nowMs += ms),
    now: () => nowMs,
    risky,
    spoil,
    close: () => db.close(),
  }
}

/** An acquirer whose answers are sometimes lost on the way, though it did what it was asked. */
function forgetful(acquirer: Acquirer, chance: Chance): Acquirer {
  const losing =
    <A extends unknown[], R>(ask: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (chance.percent(5)) throw new Error('the question was lost')
      const answer = await ask(...given)
      if (chance.percent(5)) throw new Error('the answer was lost')
      return answer
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

async function stockShelves(db: Database): Promise<void> {
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
  // Two offers of one product, so that limits by product are met by different ways.
  for (const id of offerIds.slice(0, 5)) {
    const name = { ru: `Товар ${id}` }
    await load('product', { id, category_id: 1, slug: `product-${id}`, name })
  }
  const offer = (id: number) => ({
    id,
    product_id: Math.min(id, 5),
    partner_id: (id % 2) + 1,
    price_tiyin: 37_000_001 * id,
    quantity: 4 * id,
    loan_condition_ids: [(id % 2) + 1],
    bnpl: { has_daily_payment: id > 3, prepayment_tiyin: id === 4 ? 1_000_001 : null },
    reservation_minutes: id % 3 === 0 ? 30 : null,
  })
  for (const id of offerIds) await load('offer', offer(id))
  for (const id of moderatedIds) await load('moderated_offer', { ...offer(id), status: 'approved' })
}
