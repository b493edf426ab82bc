// A shop in a database of its own, with a clock that only the simulation moves, and a memory of all that it promised.

import type pg from 'pg'
import { readConfig } from '../../src/base/config.ts'
import { Database, type ToldFact, type Tx } from '../../src/base/db.ts'
import type { Buyer } from '../../src/base/buyer.ts'
import { Memory } from '../../src/base/memory.ts'
import { type OutsideEvent, termsOf } from '../../src/cart/index.ts'
import { setLimits } from '../../src/cart/set-limits.ts'
import { recordKinds } from '../../src/catalog/index.ts'
import type { Acquirer } from '../../src/orders/payments/acquirer.ts'
import { PaymentDesk } from '../../src/orders/payments/desk.ts'
import { testAcquirer } from '../../src/orders/payments/test-acquirer.ts'
import type { Chance } from './chance.ts'

/** The process dies here: what its transaction did is undone. */
export class Crash extends Error {}

/** Breaks the shop on purpose, to see whether it is noticed. */
export interface Tamper {
  /** Changes what a statement does. */
  sql?(sql: string): string
  /** Changes what is told. */
  tell?(fact: ToldFact): ToldFact[]
}

/** Does to a transaction what fate has in store for it. It is drawn before the transaction begins. */
export type Spoil = (tx: Tx) => Tx

export const offerIds = [1, 2, 3, 4, 5, 6]
/** Those whose units are kept for whoever has them in his cart. */
export const reservableIds = offerIds.filter((it) => it % 3 === 0)
export const moderatedIds = [1, 2]
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
  /** Orders that were acknowledged, and to whom. */
  orders: Map<number, Buyer>
  /** Replies by Idempotency-Key, with the buyer who sent it. */
  replies: Map<string, { buyer: Buyer; body: string; at: number; methodId: number }>
  /** Messages of outside producers that may come again, and late. */
  messages: OutsideEvent[]
  /** How many promotions somebody meant to plan. */
  promotions: number
  /** Offers whose stock somebody lowered in this step, and those of which more is reserved than there is. */
  lowered: Set<string>
  overbooked: Set<string>
}

/** Somebody outside who follows all facts by their positions, and now and then forgets how far he had come. */
export interface Subscriber {
  position: number
  /** By event id: how often it came, and the orders that it names. */
  heard: Map<string, { times: number; orderIds: number[] }>
}

export interface World {
  db: Database
  /** What the shop remembers. It hears of changes late, as from another process. */
  memory: Memory
  chance: Chance
  desk: PaymentDesk
  terms: ReturnType<typeof termsOf>
  promised: Promises
  subscriber: Subscriber
  /** Moves the clock. */
  pass(ms: number): void
  now(): number
  /** The fate of a transaction: it may crash between any two of its statements. */
  fate(chance?: Chance): Spoil
  /** A transaction under a fate; null when it crashed. */
  risky<T>(spoil: Spoil, work: (tx: Tx) => Promise<T>): Promise<T | null>
  close(): Promise<void>
}

const beginning = Date.parse('2026-03-01T05:00:00Z')
const crashPercent = 8
const mostStatements = 14

export async function openWorld(
  connection: pg.PoolConfig,
  chance: Chance,
  tamper: Tamper = {},
): Promise<World> {
  let nowMs = beginning
  const clock = { now: () => new Date(nowMs) }
  const db = new Database({ connection, environment: 'test', clock, poolSize: 5 })
  await stockShelves(db)
  const memory = new Memory()
  db.memory = memory
  return {
    db,
    memory,
    chance,
    desk: new PaymentDesk(db, [forgetful(testAcquirer(db), chance)], () => {}),
    terms: termsOf(readConfig({})),
    promised: {
      carts: new Map(),
      orders: new Map(),
      replies: new Map(),
      messages: [],
      promotions: 0,
      lowered: new Set(),
      overbooked: new Set(),
    },
    subscriber: { position: 0, heard: new Map() },
    pass: (ms) => void (nowMs += ms),
    now: () => nowMs,
    fate: (drawn = chance) => {
      const dies = drawn.percent(crashPercent)
      return mortal(dies ? drawn.below(mostStatements) : Infinity, tamper)
    },
    risky: (spoil, work) => survived(db.transaction((tx) => work(spoil(tx)))),
    close: () => db.close(),
  }
}

/** What became of work; null when the process died in it. */
export const survived = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof Crash) return null
    throw error
  })

/** A handle that dies at one of its next statements. */
const mortal =
  (lifetime: number, { sql: tampered = (sql) => sql, tell = (fact) => [fact] }: Tamper): Spoil =>
  (tx) => {
    let left = lifetime
    const dying = <A extends unknown[], R>(act: (sql: string, ...rest: A) => R) =>
      ((sql: string, ...rest: A): R => {
        if (left-- <= 0) throw new Crash()
        return act(tampered(sql), ...rest)
      }) as typeof act
    const { push } = tx.told
    tx.told.push = (...facts) => push.apply(tx.told, facts.flatMap(tell))
    return {
      ...tx,
      all: dying(tx.all) as Tx['all'],
      one: dying(tx.one) as Tx['one'],
      maybe: dying(tx.maybe) as Tx['maybe'],
      later: dying(tx.later),
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
    price_tiyin: 3_700_001 * id,
    // Those that can be reserved are scarce, so that buyers get in each other's way.
    quantity: reservableIds.includes(id) ? 3 : 4 * id,
    loan_condition_ids: [(id % 2) + 1],
    bnpl: { has_daily_payment: id > 3, prepayment_tiyin: id === 4 ? 1_000_001 : null },
    reservation_minutes: reservableIds.includes(id) ? 5 : null,
  })
  for (const id of offerIds) await load('offer', offer(id))
  for (const id of moderatedIds) await load('moderated_offer', { ...offer(id), status: 'approved' })
  // So narrow that a few orders meet them.
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
